#pragma once

#include <span>
#include <string_view>

namespace walpost {

enum class Command : unsigned {
  kRun,
  kSetup,
  kCheck,
  kStatus,
  kTeardown,
  kConfigShow,
  kCompletion,
  kManPage,       // hidden: what the build installs as walpost.1
  kOptionsPage,   // hidden: docs/OPTIONS.md
  kDebeziumPage,  // hidden: docs/DEBEZIUM-ENTRIES.md
};

// A set of commands, one bit each.
using CommandSet = unsigned;

[[nodiscard]] constexpr CommandSet set_of(Command command) noexcept {
  return 1U << static_cast<unsigned>(command);
}
template <typename... Commands>
[[nodiscard]] constexpr CommandSet set_of(Command first, Commands... rest) noexcept {
  return set_of(first) | set_of(rest...);
}

struct CommandRow {
  Command command;
  std::string_view name;      // as typed; "config show" is two words
  std::string_view argument;  // what must follow the name, "" for nothing
  std::string_view summary;   // one sentence without its full stop
  bool hidden;
};

[[nodiscard]] std::span<const CommandRow> command_table() noexcept;
[[nodiscard]] const CommandRow& command_row(Command command) noexcept;

}  // namespace walpost
