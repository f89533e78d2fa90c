#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "command_config_show.h"
#include "command_line.h"
#include "completion.h"
#include "help_text.h"
#include "options_page.h"
#include "version.h"
#include "walpost/error.h"

namespace walpost {
namespace {

// Standard output is a result that others read: one that could not be written is a failure.
int print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    throw Error(ExitCode::kUnexpected, "standard output cannot be written");
  }
  return 0;
}

int dispatch(const CommandLine& line) {
  switch (line.command) {
    case Command::kRun:
    case Command::kSetup:
    case Command::kCheck:
    case Command::kStatus:
    case Command::kTeardown:
      throw Error(ExitCode::kUsage,
                  fmt::format("{} is not in this build", command_row(line.command).name));
    case Command::kConfigShow:
      return print(config_show_text(line.settings));
    case Command::kCompletion:
      return print(completion_script(line.argument));
    case Command::kManPage:
      return print(man_page());
    case Command::kOptionsPage:
      return print(options_page());
  }
  return static_cast<int>(ExitCode::kUnexpected);
}

int answer(const std::vector<std::string>& arguments) {
  std::vector<std::string> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.emplace_back(*variable);
  }
  const CommandLine line = parse_command_line(arguments, environment);
  switch (line.request) {
    case CommandLine::Request::kHelp:
      return print(line.has_command ? command_help_text(line.command) : help_text());
    case CommandLine::Request::kVersion:
      return print(version_text());
    case CommandLine::Request::kCommand:
      return dispatch(line);
  }
  return static_cast<int>(ExitCode::kUnexpected);
}

// Monitors know four answers; all that keeps `status` from one of the first three is "unknown".
constexpr int kStatusUnknown = 3;

int exit_code(ExitCode code, const CommandRow* command) {
  const bool is_status = command != nullptr && command->command == Command::kStatus;
  return is_status ? kStatusUnknown : static_cast<int>(code);
}

}  // namespace
}  // namespace walpost

int main(int argc, char** argv) {
  using namespace walpost;
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const CommandRow* command = leading_command(arguments);
  try {
    return answer(arguments);
  } catch (const Error& error) {
    fmt::print(stderr, "walpost: {}\n", error.what());
    if (!error.hint().empty()) fmt::print(stderr, "hint: {}\n", error.hint());
    if (command == nullptr) fmt::print(stderr, "\n{}", help_text());
    return exit_code(error.exit_code(), command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "walpost: unexpected: {}\nhint: this is a bug, please report it\n",
               error.what());
    return exit_code(ExitCode::kUnexpected, command);
  }
}
