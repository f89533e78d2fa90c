#pragma once

#include <span>
#include <string>
#include <vector>

#include "command_table.h"
#include "debezium_config.h"
#include "option_table.h"
#include "options.h"

namespace walpost {

// Where the effective value of one option came from.
struct Setting {
  const OptionRow* row = nullptr;
  std::vector<std::string> texts;  // as typed; empty: not set, or an empty list
  std::string origin;              // "default", "flag", "environment", "file /etc/walpost.toml",
                                   // "debezium-config connector.json: slot.name"
};

struct CommandLine {
  enum class Request { kCommand, kHelp, kVersion };
  Request request = Request::kCommand;
  // With kHelp: of this command, or of walpost as a whole when `has_command` is false.
  Command command = Command::kRun;
  bool has_command = false;
  std::string argument;  // of commands that take one: completion's shell
  Options options;
  std::vector<Setting> settings;                // one for each row of option_table(), in its order
  std::vector<DebeziumEntry> debezium_entries;  // of --debezium-config
};

// Reads the arguments after the program's name; `environment` as in environ, "NAME=value" each.
// Flags beat environment beats file beats --debezium-config beats default. Throws Error{kUsage}:
// one line on what is wrong, the hint naming what was likely meant. `walpost status` alone answers
// with another code for it.
[[nodiscard]] CommandLine parse_command_line(std::span<const std::string> arguments,
                                             std::span<const std::string> environment);

// The command that `arguments` begin with, even where the rest of them is wrong; nullopt: none.
[[nodiscard]] const CommandRow* leading_command(std::span<const std::string> arguments) noexcept;

}  // namespace walpost
