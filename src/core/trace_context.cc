#include "walpost/trace_context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace walpost {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"traceparent", "tracestate", "baggage"};

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\f'; }
bool is_line_end(char c) noexcept { return c == '\n' || c == '\r'; }

// Reads java.util.Properties.load()'s format: one entry a logical line, "#" and "!" begin comments,
// a backslash escapes the next character and joins lines.
class PropertiesReader {
 public:
  explicit PropertiesReader(std::string_view text) : text_(text) {}

  // The next entry; nullopt: no more.
  std::optional<std::pair<std::string, std::string>> next() {
    while (true) {
      while (at_ < text_.size() && (is_blank(text_[at_]) || is_line_end(text_[at_]))) ++at_;
      if (at_ == text_.size()) return std::nullopt;
      if (text_[at_] != '#' && text_[at_] != '!') break;
      while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
    }
    std::pair<std::string, std::string> entry;
    while (!at_end_of_line() && !is_blank(text_[at_]) && text_[at_] != '=' && text_[at_] != ':') {
      take(entry.first);
    }
    skip_blanks();
    if (!at_end_of_line() && (text_[at_] == '=' || text_[at_] == ':')) {
      ++at_;
      skip_blanks();
    }
    while (!at_end_of_line()) take(entry.second);
    return entry;
  }

 private:
  [[nodiscard]] bool at_end_of_line() const noexcept {
    return at_ == text_.size() || is_line_end(text_[at_]);
  }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  void take(std::string& out) {
    if (text_[at_] != '\\') {
      out += text_[at_++];
      return;
    }
    if (++at_ == text_.size()) return;
    const char c = text_[at_++];
    if (is_line_end(c)) {
      if (c == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
      skip_blanks();
    } else if (c == 'u') {
      take_unicode(out);
    } else {
      constexpr std::string_view kLetters = "tnrf";
      constexpr std::string_view kMeanings = "\t\n\r\f";
      const auto letter = kLetters.find(c);
      out += letter == std::string_view::npos ? c : kMeanings[letter];
    }
  }

  // \uXXXX. The three headers are ASCII by their specifications: what is beyond stays as it stands.
  void take_unicode(std::string& out) {
    std::uint32_t value = 0;
    const auto digits = text_.substr(at_, 4);
    for (const char c : digits) {
      const bool is_digit = c >= '0' && c <= '9';
      const char lower = static_cast<char>(c | 0x20);
      if (!is_digit && (lower < 'a' || lower > 'f')) return static_cast<void>(out += "\\u");
      value = value * 16 + static_cast<std::uint32_t>(is_digit ? c - '0' : lower - 'a' + 10);
    }
    if (digits.size() < 4 || value >= 0x80) return static_cast<void>(out += "\\u");
    out += static_cast<char>(value);
    at_ += 4;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::pair<std::string_view, std::string>> trace_headers(std::string_view properties) {
  std::array<std::optional<std::string>, kNames.size()> found;
  PropertiesReader reader(properties);
  while (auto entry = reader.next()) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (entry->first == kNames[i]) found[i] = std::move(entry->second);
    }
  }
  std::vector<std::pair<std::string_view, std::string>> headers;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (found[i]) headers.emplace_back(kNames[i], std::move(*found[i]));
  }
  return headers;
}

}  // namespace walpost
