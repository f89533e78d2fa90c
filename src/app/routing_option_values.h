#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "option_values.h"
#include "options.h"

namespace walpost {

// Values of Debezium's options, read as Kafka's ConfigDef reads them. All throw BadValue.

// Blanks around it, and the case of its letters, do not matter.
template <typename Value, std::size_t count>
[[nodiscard]] Value parse_word(std::string_view text,
                               const std::array<std::pair<std::string_view, Value>, count>& words) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  return parse_choice<Value, count>(lower, words);
}

// table.fields.additional.placement: "column:placement[:alias],…". What Debezium finds out at
// the first row is refused here.
[[nodiscard]] std::vector<AdditionalField> parse_additional_placement(std::string_view text);
// true or false in any case, as Kafka's ConfigDef takes it.
[[nodiscard]] bool parse_boolean(std::string_view text);
// skipped.operations: some of c, u, d, t, r, or none.
[[nodiscard]] std::string parse_skipped_operations(std::string_view text);
// topic.prefix: letters, digits, ".", "-" and "_"; empty is none.
[[nodiscard]] std::string parse_topic_prefix(std::string_view text);
// A column, or empty for none.
[[nodiscard]] std::optional<std::string> parse_column_or_none(std::string_view text);

}  // namespace walpost
