#include "command_config_show.h"

#include <fmt/format.h>

#include <algorithm>

namespace walpost {
namespace {

// The file format knows no escapes, so that the quote is the one that the text does not hold.
std::string quoted(const std::string& text) {
  const char quote = text.find('"') == std::string::npos ? '"' : '\'';
  return fmt::format("{}{}{}", quote, text, quote);
}

std::string value_of(const Setting& setting) {
  const OptionRow& row = *setting.row;
  if (row.kind == OptionKind::kSwitch) return setting.texts.front();
  std::string list;
  for (const std::string& text : setting.texts) {
    list += list.empty() ? "" : ", ";
    list += quoted(row.mask == nullptr ? text : row.mask(text));
  }
  return row.kind == OptionKind::kList ? fmt::format("[{}]", list) : list;
}

}  // namespace

std::string config_show_text(std::span<const Setting> settings) {
  std::string text;
  for (const Setting& setting : settings) {
    const OptionRow& row = *setting.row;
    if ((row.commands & set_of(Command::kRun)) == 0) continue;
    // A file cannot name another one, and what is not set is not to be set to an empty text.
    const bool is_comment = row.name == "config" || setting.origin == "default";
    const bool is_unset = setting.texts.empty() && row.kind != OptionKind::kList;
    const std::string line = is_unset ? fmt::format("{} is not set", row.name)
                                      : fmt::format("{} = {}", row.name, value_of(setting));
    text += fmt::format("{}{}  # {}\n", is_comment || is_unset ? "# " : "", line, setting.origin);
  }
  return text;
}

}  // namespace walpost
