#include "command_line.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <map>
#include <optional>

#include "config_file.h"
#include "debezium_report.h"
#include "option_values.h"
#include "walpost/error.h"
#include "walpost/nearest_name.h"

namespace walpost {
namespace {

using Texts = std::vector<std::string>;
// What one source (flags, environment, file) says, by option.
using Given = std::map<const OptionRow*, Texts>;

constexpr std::string_view kPrefix = "WALPOST_";

std::vector<std::string> names_of(std::span<const OptionRow> rows,
                                  std::string (*name_of)(const OptionRow&)) {
  std::vector<std::string> names;
  for (const OptionRow& row : rows) names.push_back(name_of(row));
  return names;
}

std::string flag_name(const OptionRow& row) { return fmt::format("--{}", row.name); }
std::string file_key(const OptionRow& row) { return std::string(row.name); }

std::string suggestion(std::string_view typed, std::span<const std::string> names,
                       std::string_view otherwise) {
  const std::optional<std::string> nearest = nearest_name(typed, names);
  return nearest ? fmt::format("did you mean {}?", *nearest) : std::string(otherwise);
}

Error usage_error(const std::string& what, std::string hint = {}) {
  return {ExitCode::kUsage, what, std::move(hint)};
}

// ---- Flags -------------------------------------------------------------------------------------

// What of an argument may be repeated: a part of a conninfo or URI that lost its quotes may hold a
// password after the first of these.
std::string shown_argument(const std::string& argument) {
  const std::size_t end = argument.find_first_of("=:@");
  return end == std::string::npos ? argument : argument.substr(0, end + 1) + "…";
}

std::string commands_of(const OptionRow& row) {
  std::string names;
  for (const CommandRow& command : command_table()) {
    if ((row.commands & set_of(command.command)) == 0) continue;
    names += names.empty() ? "" : ", ";
    names += command.name;
  }
  return names;
}

// `argument` was not taken by any option of `command`.
Error leftover_error(const std::string& argument, const CommandRow& command) {
  if (!argument.starts_with('-') || argument.size() < 2) {
    return usage_error(fmt::format("unexpected argument: {}", shown_argument(argument)),
                       fmt::format("walpost {} --help shows what it takes", command.name));
  }
  const std::string typed = argument.substr(0, argument.find('='));
  const auto is_meant = [&](const OptionRow& row) {
    return typed == flag_name(row) ||
           (row.flag != 0 && typed.starts_with(fmt::format("-{}", row.flag)));
  };
  const auto rows = option_table();
  if (const auto row = std::ranges::find_if(rows, is_meant); row != rows.end()) {
    return usage_error(fmt::format("{} is no option of walpost {}", flag_name(*row), command.name),
                       fmt::format("it belongs to: {}", commands_of(*row)));
  }
  return usage_error(fmt::format("unknown option {}", typed),
                     suggestion(typed, names_of(rows, flag_name),
                                fmt::format("walpost {} --help shows all options", command.name)));
}

// CLI11 takes the argument after "--name=" for the value; an empty one is meant.
std::vector<std::string> with_empty_values_apart(std::span<const std::string> arguments) {
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    const bool ends_empty = argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    const OptionRow* row =
        ends_empty ? find_option(argument.substr(2, argument.size() - 3)) : nullptr;
    if (row == nullptr) {
      result.push_back(argument);
    } else if (row->kind == OptionKind::kSwitch) {
      throw usage_error(fmt::format("--{}: : must be true or false", row->name));
    } else {
      result.push_back(argument.substr(0, argument.size() - 1));
      result.emplace_back();
    }
  }
  return result;
}

void add_option(CLI::App& app, const OptionRow& row) {
  std::string names = fmt::format("--{}", row.name);
  if (row.flag != 0) names += fmt::format(",-{}", row.flag);
  CLI::Option* option = row.kind == OptionKind::kSwitch
                            ? app.add_flag(names)
                            : app.add_option(names, [](const CLI::results_t&) { return true; });
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Given parse_flags(std::span<const std::string> arguments, const CommandRow& command,
                  bool& wants_help) {
  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", wants_help);
  app.allow_extras();
  for (const OptionRow& row : option_table()) {
    if ((row.commands & set_of(command.command)) != 0) add_option(app, row);
  }
  std::vector<std::string> reversed = with_empty_values_apart(arguments);
  const std::string last = reversed.empty() ? "" : reversed.back();
  std::ranges::reverse(reversed);
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch&) {
    throw usage_error(fmt::format("{}: a value is missing", shown_argument(last)),
                      fmt::format("walpost {} --help shows what it takes", command.name));
  } catch (const CLI::ParseError& error) {
    throw usage_error(error.what());
  }
  if (wants_help) return {};
  if (const std::vector<std::string> rest = app.remaining(); !rest.empty()) {
    const auto flag = std::ranges::find_if(rest, [](const auto& r) { return r.starts_with('-'); });
    throw leftover_error(flag == rest.end() ? rest.front() : *flag, command);
  }
  Given given;
  for (const OptionRow& row : option_table()) {
    if ((row.commands & set_of(command.command)) == 0) continue;
    const CLI::Option& option = *app.get_option(flag_name(row));
    if (option.count() == 0) continue;
    if (row.kind != OptionKind::kList && option.results().size() > 1) {
      throw usage_error(fmt::format("{} is given more than once", flag_name(row)));
    }
    given[&row] = option.results();
  }
  return given;
}

// ---- Environment -------------------------------------------------------------------------------

// Kubernetes sets these in every pod beside a Service named walpost.
bool is_kubernetes_variable(std::string_view name) {
  return name == "WALPOST_PORT" || name.starts_with("WALPOST_PORT_") ||
         name.starts_with("WALPOST_SERVICE_");
}

Texts lines_of(const std::string& text) {
  Texts lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Given parse_environment(std::span<const std::string> environment) {
  const auto rows = option_table();
  Given given;
  for (const std::string& variable : environment) {
    const std::size_t equals = variable.find('=');
    const std::string name = variable.substr(0, equals);
    if (!name.starts_with(kPrefix) || equals == std::string::npos) continue;
    const auto row =
        std::ranges::find_if(rows, [&](const auto& r) { return environment_name(r) == name; });
    if (row == rows.end()) {
      if (is_kubernetes_variable(name)) continue;
      throw usage_error(fmt::format("unknown environment variable {}", name),
                        suggestion(name, names_of(rows, environment_name),
                                   "variables that begin with WALPOST_ are options of walpost"));
    }
    const std::string value = variable.substr(equals + 1);
    given[&*row] = row->kind == OptionKind::kList ? lines_of(value) : Texts{value};
  }
  return given;
}

// ---- File --------------------------------------------------------------------------------------

Given parse_file(const std::string& path) {
  const auto rows = option_table();
  Given given;
  for (ConfigEntry& entry : read_config_file(path)) {
    const OptionRow* row = find_option(entry.key);
    if (row == nullptr) {
      throw usage_error(fmt::format("--config: {}: unknown key {}", path, entry.key),
                        suggestion(entry.key, names_of(rows, file_key),
                                   "keys are the names of options, without sections"));
    }
    if (row->name == "config") {
      throw usage_error(fmt::format("--config: {}: a file cannot name another one", path));
    }
    if (given.contains(row)) {
      throw usage_error(fmt::format("--config: {}: {} is there more than once", path, entry.key));
    }
    if (row->kind != OptionKind::kList && entry.values.size() != 1) {
      throw usage_error(fmt::format("--config: {}: {} takes one value", path, entry.key),
                        "a value with blanks or commas goes into quotes");
    }
    given[row] = std::move(entry.values);
  }
  return given;
}

// ---- Together ----------------------------------------------------------------------------------

std::string shown(const OptionRow& row, std::span<const std::string> texts) {
  std::string all;
  for (const std::string& text : texts) {
    all += all.empty() ? "" : ", ";
    all += row.mask == nullptr ? text : row.mask(text);
  }
  return all;
}

void apply(const Setting& setting, Options& options) {
  try {
    setting.row->set(options, setting.texts);
  } catch (const BadValue& error) {
    throw usage_error(
        fmt::format("--{}: {}: {}", setting.row->name, shown(*setting.row, setting.texts),
                    error.what()),
        setting.origin == "flag"
            ? ""
            : fmt::format("set by the {}{}", setting.origin,
                          setting.origin == "environment"
                              ? fmt::format(" variable {}", environment_name(*setting.row))
                              : ""));
  }
}

struct GivenBy {
  std::string origin;
  Given given;
};

// The file that one of the sources names with `option`; empty: none does.
std::string named_file(std::span<const GivenBy> sources, std::string_view option) {
  const OptionRow* row = find_option(option);
  for (const GivenBy& source : sources) {
    const auto found = source.given.find(row);
    if (found != source.given.end()) return found->second.front();
  }
  return {};
}

// Each option that the connector's configuration makes up is a source of its own, so that its
// origin names the entry.
void add_debezium_config(DebeziumConfig config, const std::string& path,
                         std::vector<GivenBy>& sources, CommandLine& result) {
  for (DebeziumEntry& entry : config.entries) {
    const OptionRow* row = find_option(entry.option);
    const bool is_given =
        row != nullptr && std::ranges::any_of(sources, [&](const GivenBy& source) {
          return source.given.contains(row);
        });
    if (is_given) entry.verdict = DebeziumVerdict::kOverridden;
  }
  result.debezium_entries = std::move(config.entries);
  for (DebeziumConfig::Applied& applied : config.applied) {
    sources.push_back({fmt::format("debezium-config {}: {}", path, applied.entry),
                       {{applied.row, std::move(applied.texts)}}});
  }
}

void settle(std::span<const GivenBy> by_precedence, CommandLine& result) {
  for (const OptionRow& row : option_table()) {
    Setting setting{&row, {}, "default"};
    if (!row.default_text.empty()) setting.texts = {std::string(row.default_text)};
    for (const GivenBy& source : by_precedence) {
      const auto found = source.given.find(&row);
      if (found == source.given.end()) continue;
      setting.texts = found->second;
      setting.origin = source.origin;
      apply(setting, result.options);
      break;
    }
    result.settings.push_back(std::move(setting));
  }
}

std::size_t words_of(const CommandRow& command) {
  return 1 + static_cast<std::size_t>(std::ranges::count(command.name, ' '));
}

Error no_command_error(std::span<const std::string> arguments) {
  if (arguments.empty()) return usage_error("no command is given", "walpost --help lists them");
  if (arguments.front().starts_with('-')) {
    return usage_error(fmt::format("a command comes before {}", shown_argument(arguments.front())),
                       "walpost run --slot …; walpost --help lists the commands");
  }
  std::vector<std::string> names;
  for (const CommandRow& row : command_table()) {
    if (!row.hidden) names.emplace_back(row.name);
  }
  return usage_error(fmt::format("unknown command {}", shown_argument(arguments.front())),
                     suggestion(arguments.front(), names, "walpost --help lists the commands"));
}

}  // namespace

const CommandRow* leading_command(std::span<const std::string> arguments) noexcept {
  for (const CommandRow& row : command_table()) {
    const std::size_t words = words_of(row);
    if (arguments.size() < words) continue;
    std::string typed = arguments[0];
    for (std::size_t i = 1; i < words; ++i) typed += ' ' + arguments[i];
    if (typed == row.name) return &row;
  }
  return nullptr;
}

CommandLine parse_command_line(std::span<const std::string> arguments,
                               std::span<const std::string> environment) {
  CommandLine result;
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) {
    result.request = CommandLine::Request::kHelp;
    return result;
  }
  if (!arguments.empty() && (arguments[0] == "--version" || arguments[0] == "-V")) {
    result.request = CommandLine::Request::kVersion;
    return result;
  }
  const CommandRow* command = leading_command(arguments);
  if (command == nullptr) throw no_command_error(arguments);
  result.command = command->command;
  result.has_command = true;
  arguments = arguments.subspan(words_of(*command));
  if (!command->argument.empty() && !arguments.empty() && !arguments.front().starts_with('-')) {
    result.argument = arguments.front();
    arguments = arguments.subspan(1);
  }

  bool wants_help = false;
  Given flags = parse_flags(arguments, *command, wants_help);
  if (wants_help) {
    result.request = CommandLine::Request::kHelp;
    return result;
  }
  if (!command->argument.empty() && result.argument.empty()) {
    throw usage_error(fmt::format("walpost {}: {} is missing", command->name, command->argument));
  }
  // Commands without options print what the build put in; the environment is no matter of theirs.
  const bool takes_options = std::ranges::any_of(option_table(), [&](const OptionRow& row) {
    return (row.commands & set_of(command->command)) != 0;
  });
  if (!takes_options) return result;

  std::vector<GivenBy> sources;
  sources.push_back({"flag", std::move(flags)});
  sources.push_back({"environment", parse_environment(environment)});
  if (const std::string path = named_file(sources, "config"); !path.empty()) {
    sources.push_back({fmt::format("file {}", path), parse_file(path)});
  }
  const std::string debezium_path = named_file(sources, "debezium-config");
  if (!debezium_path.empty()) {
    add_debezium_config(translate_debezium(read_debezium_file(debezium_path)), debezium_path,
                        sources, result);
  }
  settle(sources, result);
  // `check` lists what is refused.
  if (command->command != Command::kCheck) {
    refuse_debezium_entries(result.debezium_entries, debezium_path);
  }
  return result;
}

}  // namespace walpost
