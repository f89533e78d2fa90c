#pragma once

#include <span>
#include <string>
#include <string_view>

#include "command_table.h"
#include "options.h"

namespace walpost {

enum class OptionGroup { kConnection, kSinks, kRouting, kObservability, kCommand };

enum class OptionKind {
  kSwitch,  // no value on the command line; true or false elsewhere
  kValue,   // exactly one value
  kList,    // repeatable: one per line in the environment, an array in the file
};

// One option. The table of them is the only place that knows an option's name, and feeds the
// parser, the environment, the configuration file, --help, the reference page, the completions, the
// manual page and `config show`.
struct OptionRow {
  std::string_view
      name;   // "drain-timeout": --drain-timeout, WALPOST_DRAIN_TIMEOUT, drain-timeout =
  char flag;  // 0: none
  OptionKind kind;
  std::string_view metavar;       // "" for a switch
  std::string_view default_text;  // as it would be typed; "" where there is no value
  std::string_view range;         // which values are taken, where metavar and help do not say so
  std::string_view help;          // one sentence
  OptionGroup group;
  CommandSet commands;
  // Null, or what may be shown of a value.
  std::string (*mask)(std::string_view text);
  // Reads the texts (one, or for a list any number) into the options. Throws BadValue.
  void (*set)(Options& options, std::span<const std::string> texts);
};

[[nodiscard]] std::span<const OptionRow> option_table() noexcept;
// Null: no such option.
[[nodiscard]] const OptionRow* find_option(std::string_view name) noexcept;

[[nodiscard]] std::string_view group_title(OptionGroup group) noexcept;
// "WALPOST_DRAIN_TIMEOUT".
[[nodiscard]] std::string environment_name(const OptionRow& row);
// "-d, --dbname CONNINFO".
[[nodiscard]] std::string option_usage(const OptionRow& row);

}  // namespace walpost
