#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <string>
#include <vector>

#include "command_config_show.h"
#include "command_line.h"
#include "commands.h"
#include "completion.h"
#include "debezium_report.h"
#include "help_text.h"
#include "log_line.h"
#include "logger.h"
#include "options_page.h"
#include "print.h"
#include "run.h"
#include "version.h"
#include "walpost/error.h"

namespace walpost {
namespace {

int shown(const std::string& text) {
  print(text);
  return 0;
}

int dispatch(const CommandLine& line) {
  const Options& options = line.options;
  const Log log = make_log(options.log_format, options.log_level, STDERR_FILENO);
  switch (line.command) {
    case Command::kRun:
      log_debezium_entries(line.debezium_entries, log);
      return static_cast<int>(run(options, log));
    case Command::kSetup:
      return setup(options, log);
    case Command::kCheck:
      return check(options, line.debezium_entries);
    case Command::kStatus:
      return status(options);
    case Command::kTeardown:
      return teardown(options, log);
    case Command::kConfigShow:
      return shown(config_show_text(line.settings) + debezium_comments(line.debezium_entries));
    case Command::kCompletion:
      return shown(completion_script(line.argument));
    case Command::kManPage:
      return shown(man_page());
    case Command::kOptionsPage:
      return shown(options_page());
    case Command::kDebeziumPage:
      return shown(debezium_page());
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
      return shown(line.has_command ? command_help_text(line.command) : help_text());
    case CommandLine::Request::kVersion:
      return shown(version_text());
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
    fmt::print(stderr, "{}", error_text(error));
    if (command == nullptr) fmt::print(stderr, "\n{}", help_text());
    return exit_code(error.exit_code(), command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "walpost: unexpected: {}\nhint: this is a bug, please report it\n",
               error.what());
    return exit_code(ExitCode::kUnexpected, command);
  }
}
