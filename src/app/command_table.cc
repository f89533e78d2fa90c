#include "command_table.h"

#include <algorithm>
#include <array>

#include "walpost/check.h"

namespace walpost {
namespace {

constexpr std::array<CommandRow, 10> kCommands{{
    {Command::kRun, "run", "", "Carry committed outbox rows to the sink until told to stop", false},
    {Command::kSetup, "setup", "", "Create what is missing: outbox table, publication, slot",
     false},
    {Command::kCheck, "check", "", "Report all that run would refuse, and what mends it", false},
    {Command::kStatus, "status", "",
     "Show slot lag and retained WAL; the exit code suits a monitor", false},
    {Command::kTeardown, "teardown", "", "Drop slot and publication, after saying what is lost",
     false},
    {Command::kConfigShow, "config show", "",
     "Print the effective options and where each came from", false},
    {Command::kCompletion, "completion", "bash|zsh|fish", "Print a shell's completion script",
     false},
    {Command::kManPage, "man-page", "", "Print the manual page", true},
    {Command::kOptionsPage, "options-page", "", "Print the reference of all options", true},
    {Command::kDebeziumPage, "debezium-page", "",
     "Print what --debezium-config makes of each entry", true},
}};

}  // namespace

std::span<const CommandRow> command_table() noexcept { return kCommands; }

const CommandRow& command_row(Command command) noexcept {
  const auto* row = std::ranges::find(kCommands, command, &CommandRow::command);
  CHECK(row != kCommands.end());
  return *row;
}

}  // namespace walpost
