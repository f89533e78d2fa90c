#include "properties_text.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace walpost {
namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\f'; }
bool is_line_end(char c) noexcept { return c == '\n' || c == '\r'; }
bool is_high_surrogate(std::uint32_t unit) noexcept { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low_surrogate(std::uint32_t unit) noexcept { return unit >= 0xdc00 && unit < 0xe000; }

void append_utf8(std::string& out, std::uint32_t point) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  const auto tail = [&](int shift) { byte(0x80 | ((point >> shift) & 0x3f)); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xc0 | (point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    byte(0xe0 | (point >> 12));
    tail(6);
    tail(0);
  } else {
    byte(0xf0 | (point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

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
  // A line that ends in a backslash goes on in the next one.
  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '\\' && at_ + 1 < text_.size() && is_line_end(text_[at_ + 1])) {
        ++at_;
        take_line_end();
      } else {
        return;
      }
    }
  }
  void take_line_end() {
    const char c = text_[at_++];
    if (c == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  void take(std::string& out) {
    if (text_[at_] != '\\') {
      append_utf8(out, static_cast<unsigned char>(text_[at_++]));  // Latin-1
      return;
    }
    if (++at_ == text_.size()) return;
    if (is_line_end(text_[at_])) return take_line_end();
    const char c = text_[at_++];
    if (c == 'u') return take_unicode(out);
    constexpr std::string_view kLetters = "tnrf";
    constexpr std::string_view kMeanings = "\t\n\r\f";
    const auto letter = kLetters.find(c);
    append_utf8(
        out, static_cast<unsigned char>(letter == std::string_view::npos ? c : kMeanings[letter]));
  }

  std::uint32_t take_unit() {
    constexpr std::size_t kDigits = 4;
    const auto digits = text_.substr(at_, kDigits);
    std::uint32_t unit = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (error != std::errc() || end != digits.data() + kDigits) {
      throw std::invalid_argument("\\u without four hexadecimal digits");
    }
    at_ += kDigits;
    return unit;
  }

  // \uXXXX, a UTF-16 code unit: two of them beyond the basic plane.
  void take_unicode(std::string& out) {
    const std::uint32_t unit = take_unit();
    if (is_low_surrogate(unit)) throw std::invalid_argument("half a surrogate pair");
    if (!is_high_surrogate(unit)) return append_utf8(out, unit);
    if (!text_.substr(at_).starts_with("\\u")) throw std::invalid_argument("half a surrogate pair");
    at_ += 2;
    const std::uint32_t low = take_unit();
    if (!is_low_surrogate(low)) throw std::invalid_argument("half a surrogate pair");
    append_utf8(out, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_properties(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> entries;
  Reader reader(text);
  while (auto entry = reader.next()) entries.push_back(std::move(*entry));
  return entries;
}

}  // namespace walpost
