#include "json_document.h"

#include <charconv>
#include <system_error>
#include <utility>

#include "name_index.h"

namespace walpost {
namespace {

// Java's String.length is at most `limit`.
bool is_within(std::size_t limit, std::string_view utf8) noexcept {
  if (utf8.size() <= limit) return true;
  std::size_t length = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<std::uint8_t>(c);
    if ((byte & 0xC0U) != 0x80U) ++length;
    if (byte >= 0xF0U) ++length;
  }
  return length <= limit;
}

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | (code_point >> shift & 0x3FU));
  };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xC0U | code_point >> 6U);
    tail(0);
  } else if (code_point < 0x1'0000) {
    out += static_cast<char>(0xE0U | code_point >> 12U);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | code_point >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

// Recursive descent, at most JsonDocument::kMaxDepth deep. Every function leaves `rest_` behind
// what it read, and is false where the text is not what it reads.
class JsonParser final {
 public:
  JsonParser(std::string_view text, JsonDocument& document) : rest_(text), document_(document) {}

  [[nodiscard]] bool parse_value(JsonValue& value, std::size_t depth) {
    skip_blanks();
    if (rest_.empty()) return false;
    switch (rest_.front()) {
      case '{':
        return depth < JsonDocument::kMaxDepth && parse_object(value, depth + 1);
      case '[':
        return depth < JsonDocument::kMaxDepth && parse_array(value, depth + 1);
      case '"':
        value.kind = JsonValue::Kind::kString;
        return parse_string(value.text) && is_within(JsonDocument::kMaxStringLength, value.text);
      case 't':
        value.kind = JsonValue::Kind::kTrue;
        return take("true");
      case 'f':
        value.kind = JsonValue::Kind::kFalse;
        return take("false");
      case 'n':
        value.kind = JsonValue::Kind::kNull;
        return take("null");
      default:  // a character, not an enumeration
        return parse_number(value);
    }
  }

 private:
  void skip_blanks() noexcept {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n' ||
                              rest_.front() == '\r' || rest_.front() == '\t')) {
      rest_.remove_prefix(1);
    }
  }

  bool take(std::string_view expected) noexcept {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  bool take_after_blanks(char expected) noexcept {
    skip_blanks();
    return take({&expected, 1});
  }

  bool parse_object(JsonValue& object, std::size_t depth) {
    object.kind = JsonValue::Kind::kObject;
    rest_.remove_prefix(1);
    if (take_after_blanks('}')) return true;
    NameIndex names;
    do {
      skip_blanks();
      std::string_view name;
      JsonValue value;
      if (!parse_string(name) || !is_within(JsonDocument::kMaxNameLength, name)) return false;
      if (!take_after_blanks(':') || !parse_value(value, depth)) return false;
      if (const auto first = names.find(name, names.size())) {
        object.members[*first].value = std::move(value);
      } else {
        names.add(name);
        object.members.push_back({name, std::move(value)});
      }
    } while (take_after_blanks(','));
    return take_after_blanks('}');
  }

  bool parse_array(JsonValue& array, std::size_t depth) {
    array.kind = JsonValue::Kind::kArray;
    rest_.remove_prefix(1);
    if (take_after_blanks(']')) return true;
    do {
      if (!parse_value(array.elements.emplace_back(), depth)) return false;
    } while (take_after_blanks(','));
    return take_after_blanks(']');
  }

  std::size_t take_digits() noexcept {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count])) ++count;
    rest_.remove_prefix(count);
    return count;
  }

  // -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
  bool parse_number(JsonValue& number) {
    const std::string_view start = rest_;
    number.kind = JsonValue::Kind::kInteger;
    take("-");
    std::size_t length = 0;  // as Jackson counts: digits only
    if (take("0")) {
      length = 1;
    } else if (length = take_digits(); length == 0) {
      return false;
    }
    if (take(".")) {
      number.kind = JsonValue::Kind::kReal;
      const std::size_t count = take_digits();
      if (count == 0) return false;
      length += count;
    }
    if (take("e") || take("E")) {
      number.kind = JsonValue::Kind::kReal;
      if (!take("+")) take("-");
      const std::size_t count = take_digits();
      if (count == 0) return false;
      length += count;
    }
    number.text = start.substr(0, start.size() - rest_.size());
    return length <= JsonDocument::kMaxNumberLength;
  }

  bool parse_string(std::string_view& text) {
    if (!take("\"")) return false;
    std::size_t plain = 0;
    while (plain < rest_.size() && is_plain(rest_[plain])) ++plain;
    text = rest_.substr(0, plain);
    rest_.remove_prefix(plain);
    if (take("\"")) return true;

    std::string& unescaped = document_.unescaped_.emplace_back(text);
    while (!rest_.empty() && rest_.front() != '"') {
      if (take("\\")) {
        if (!parse_escape(unescaped)) return false;
      } else if (is_plain(rest_.front())) {
        unescaped += rest_.front();
        rest_.remove_prefix(1);
      } else {
        return false;  // a control character
      }
    }
    text = unescaped;
    return take("\"");
  }

  static constexpr bool is_plain(char c) noexcept {
    return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
  }

  bool parse_escape(std::string& out) {
    if (rest_.empty()) return false;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (c == 'u') return parse_unicode_escape(out);
    const std::size_t at = kLetters.find(c);
    if (at == std::string_view::npos) return false;
    out += kMeanings[at];
    return true;
  }

  bool parse_hex(std::uint32_t& code) noexcept {
    const std::string_view digits = rest_.substr(0, 4);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < 4 || read.ec != std::errc() || read.ptr != digits.data() + 4) return false;
    rest_.remove_prefix(4);
    return true;
  }

  bool parse_unicode_escape(std::string& out) {
    std::uint32_t code = 0;
    if (!parse_hex(code)) return false;
    if (code >= 0xD800 && code <= 0xDBFF && rest_.starts_with("\\u")) {
      const std::string_view after_high = rest_;
      std::uint32_t low = 0;
      rest_.remove_prefix(2);
      if (parse_hex(low) && low >= 0xDC00 && low <= 0xDFFF) {
        code = 0x1'0000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
      } else {
        rest_ = after_high;
      }
    }
    append_utf8(out, code);
    return true;
  }

  std::string_view rest_;
  JsonDocument& document_;
};

std::optional<JsonDocument> JsonDocument::parse(std::string_view text) {
  std::optional<JsonDocument> document = JsonDocument();
  JsonParser parser(text, *document);
  if (!parser.parse_value(document->root_, 0)) return std::nullopt;
  return document;
}

}  // namespace walpost
