#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace walpost {

struct JsonMember;

// A JSON value as it is written.
struct JsonValue {
  enum class Kind : std::uint8_t {
    kNull,
    kFalse,
    kTrue,
    kInteger,  // no fraction, no exponent
    kReal,
    kString,
    kArray,
    kObject,
  };

  Kind kind = Kind::kNull;
  std::string_view text;  // of a number: as written; of a string: without quotes and escapes
  std::vector<JsonValue> elements;  // of an array
  std::vector<JsonMember> members;  // of an object, each name once
};

struct JsonMember {
  std::string_view name;
  JsonValue value;
};

// RFC 8259, as Jackson reads it: what follows the first value is ignored, a repeated member keeps
// its first place and takes the last value, and what is beyond the limits is no document.
// A \u escape that is half of a surrogate pair is legal, and stands in the text as the three bytes
// that UTF-8 would have for it.
// Views into the text that was parsed, which must outlive it.
class JsonDocument final {
 public:
  // StreamReadConstraints of Jackson 2.21; lengths of texts in UTF-16.
  static constexpr std::size_t kMaxDepth = 1'000;
  static constexpr std::size_t kMaxNumberLength = 1'000;
  static constexpr std::size_t kMaxNameLength = 50'000;
  static constexpr std::size_t kMaxStringLength = 20'000'000;

  // nullopt: no JSON, or beyond the limits.
  [[nodiscard]] static std::optional<JsonDocument> parse(std::string_view text);

  [[nodiscard]] const JsonValue& root() const noexcept { return root_; }

 private:
  friend class JsonParser;

  JsonDocument() = default;

  JsonValue root_;
  std::deque<std::string> unescaped_;  // the texts that had escapes; a deque keeps them in place
};

}  // namespace walpost
