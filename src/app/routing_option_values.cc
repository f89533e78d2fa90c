#include "routing_option_values.h"

#include <fmt/format.h>

#include <set>

namespace walpost {
namespace {

// As Java's String.trim().
std::string_view trimmed(std::string_view text) noexcept {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// As Java's String.split(): empty parts at the end are dropped, but one part is always there.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::string_view rest = text;
  while (true) {
    const auto end = rest.find(separator);
    parts.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  const bool has_separator = parts.size() > 1;
  while (has_separator && !parts.empty() && parts.back().empty()) parts.pop_back();
  return parts;
}

AdditionalField parse_entry(std::string_view entry) {
  const auto parts = split(entry, ':');
  if (parts.size() != 2 && parts.size() != 3) {
    throw BadValue(fmt::format("\"{}\" is not column:placement or column:placement:alias", entry));
  }
  AdditionalField field{
      .column = parse_identifier(trimmed(parts[0])),
      .placement = parse_word<Placement, 3>(parts[1], {{{"header", Placement::kHeader},
                                                        {"envelope", Placement::kEnvelope},
                                                        {"partition", Placement::kPartition}}}),
      .alias = {}};
  field.alias = parts.size() == 3 ? std::string(trimmed(parts[2])) : field.column;
  return field;
}

}  // namespace

std::vector<AdditionalField> parse_additional_placement(std::string_view text) {
  std::vector<AdditionalField> fields;
  std::set<std::string, std::less<>> members = {"payload"};
  for (const std::string_view entry : split(text, ',')) {
    AdditionalField field = parse_entry(entry);
    if (field.placement == Placement::kEnvelope) {
      if (field.alias.empty()) throw BadValue("a member of the envelope must have a name");
      if (!members.insert(field.alias).second) {
        throw BadValue(fmt::format("the envelope would have two members \"{}\"", field.alias));
      }
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

bool parse_boolean(std::string_view text) {
  try {
    return parse_word<bool, 2>(text, {{{"true", true}, {"false", false}}});
  } catch (const BadValue&) {
    throw BadValue("must be true or false");
  }
}

std::string parse_skipped_operations(std::string_view text) {
  const auto parts = split(text, ',');
  std::string operations;
  for (const std::string_view part : parts) {
    const std::string_view word = trimmed(part);
    if (word == "none" && parts.size() == 1) return "none";
    if (word == "c") throw BadValue("c would skip every event");
    if (word != "u" && word != "d" && word != "t" && word != "r") {
      throw BadValue("must be a list of u, d, t and r, or none");
    }
    operations += operations.empty() ? "" : ",";
    operations += word;
  }
  return operations;
}

std::string parse_topic_prefix(std::string_view text) {
  const auto is_legal = [](unsigned char c) {
    return c < 128 && (std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_');
  };
  if (!std::ranges::all_of(text, is_legal)) {
    throw BadValue("may hold letters, digits, \".\", \"-\" and \"_\"");
  }
  return std::string(text);
}

std::optional<std::string> parse_column_or_none(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return parse_identifier(text);
}

}  // namespace walpost
