#include "help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "option_table.h"

namespace walpost {
namespace {

constexpr std::size_t kWidth = 96;
constexpr std::size_t kIndent = 6;

// `text` in lines of at most kWidth, each after `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  std::string line(indent, ' ');
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (line.size() > indent && line.size() + 1 + end > kWidth) {
      result += line + '\n';
      line.assign(indent, ' ');
    }
    if (line.size() > indent) line += ' ';
    line += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result + line + '\n';
}

std::string option_help(const OptionRow& row) {
  std::string about(row.help);
  if (row.kind == OptionKind::kList) about += " Repeatable.";
  if (!row.range.empty()) about += fmt::format(" Takes {}.", row.range);
  if (!row.default_text.empty() && row.kind != OptionKind::kSwitch) {
    about += fmt::format(" Default: {}.", row.default_text);
  }
  return fmt::format("  {}\n{}", option_usage(row), wrapped(about, kIndent));
}

}  // namespace

std::string help_text() {
  std::string text =
      "walpost carries a transactional outbox from PostgreSQL to Kafka.\n\n"
      "Usage: walpost COMMAND [OPTION]...\n\nCommands:\n";
  for (const CommandRow& row : command_table()) {
    if (row.hidden) continue;
    const std::string usage = fmt::format("{} {}", row.name, row.argument);
    text += fmt::format("  {:<26}{}\n", usage, row.summary);
  }
  return text +
         "\n  walpost COMMAND --help      All options of a command\n"
         "  walpost --version           walpost's version and those of its libraries\n\n"
         "Every option --some-option is WALPOST_SOME_OPTION in the environment and some-option in "
         "a\nfile given by --config; flag beats environment beats file.\n";
}

std::string command_help_text(Command command) {
  const CommandRow& row = command_row(command);
  std::string text = fmt::format("{}.\n\nUsage: walpost {}{}{} [OPTION]...\n", row.summary,
                                 row.name, row.argument.empty() ? "" : " ", row.argument);
  // What is special about the command comes first.
  constexpr std::array kOrder{OptionGroup::kCommand, OptionGroup::kConnection, OptionGroup::kSinks,
                              OptionGroup::kRouting, OptionGroup::kObservability};
  for (const OptionGroup group : kOrder) {
    std::string options;
    for (const OptionRow& option : option_table()) {
      if (option.group == group && (option.commands & set_of(command)) != 0) {
        options += option_help(option);
      }
    }
    if (options.empty()) continue;
    const auto title = group == OptionGroup::kCommand ? fmt::format("Options of {}", row.name)
                                                      : std::string(group_title(group));
    text += fmt::format("\n{}:\n{}", title, options);
  }
  return text + "\nHelp:\n  -h, --help\n      Show this.\n";
}

}  // namespace walpost
