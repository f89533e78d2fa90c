#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "options.h"

namespace walpost {

// Why a text is no value of its option: the last part of "--name: VALUE: why".
class BadValue final : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Each function reads the whole of `text` or throws BadValue.

// "500ms", "30s", "5m", "2h"; a whole number with a unit.
[[nodiscard]] std::chrono::milliseconds parse_duration(std::string_view text);
// "64MiB", "1MB": powers of 1024 with an i, of 1000 without; in bytes.
[[nodiscard]] std::uint64_t parse_size(std::string_view text);
// A whole number within the limits.
[[nodiscard]] std::int64_t parse_number(std::string_view text, std::int64_t least,
                                        std::int64_t greatest);
// Strictly "true" or "false".
[[nodiscard]] bool parse_switch(std::string_view text);
// [SCHEMA.]NAME to the letter; a part in double quotes may hold dots, and "" in it is one quote.
[[nodiscard]] TableName parse_table_name(std::string_view text);
// Any PostgreSQL identifier, to the letter.
[[nodiscard]] std::string parse_identifier(std::string_view text);
// PostgreSQL's rule for slots: lower-case letters, digits and underscores, at most 63.
[[nodiscard]] std::string parse_slot_name(std::string_view text);
[[nodiscard]] EndPosition parse_end_position(std::string_view text);
// "HOST:PORT", "[::1]:PORT".
[[nodiscard]] HttpAddress parse_http_address(std::string_view text);
// "HOST[:PORT],…"; only the shape is looked at.
[[nodiscard]] std::string parse_brokers(std::string_view text);
[[nodiscard]] Property parse_property(std::string_view text);

[[noreturn]] void refuse_choice(std::string_view allowed);

// One of several words.
template <typename Value, std::size_t count>
[[nodiscard]] Value parse_choice(
    std::string_view text, const std::array<std::pair<std::string_view, Value>, count>& words) {
  std::string allowed;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    allowed += allowed.empty() ? "" : ", ";
    allowed += word;
  }
  refuse_choice(allowed);
}

// What may be shown of a conninfo or URI: all of it, or nothing once it holds a password.
[[nodiscard]] std::string mask_conninfo(std::string_view text);
// KEY=VALUE, the value masked where the key names a secret.
[[nodiscard]] std::string mask_property(std::string_view text);

}  // namespace walpost
