#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "commands.h"
#include "findings.h"
#include "print.h"
#include "setup_plan.h"
#include "sql_session.h"
#include "step_report.h"
#include "wanted.h"

namespace walpost {
namespace {

std::string losses_text(const TeardownPlan& plan) {
  std::string text = "This is lost for good:\n";
  for (const std::string& loss : plan.losses) text += fmt::format("  - {}\n", loss);
  text += "It is done with:\n";
  for (const Step& step : plan.steps) text += fmt::format("  {};\n", step.sql);
  return text + "The outbox table is left as it is.\n";
}

// Only a person at a terminal can agree by typing; a script says --yes.
void need_agreement(const Options& options) {
  if (options.yes) return;
  if (::isatty(STDIN_FILENO) != 1) {
    throw Error(ExitCode::kUsage, "teardown was not agreed to: nothing is dropped",
                "--yes agrees without a question");
  }
  print(fmt::format("Type the slot's name, {}, to drop it: ", options.slot));
  std::string typed;
  if (!std::getline(std::cin, typed) || typed != options.slot) {
    throw Error(ExitCode::kUsage, "that is not the slot's name: nothing is dropped");
  }
}

}  // namespace

int teardown(const Options& options, const Log& log) {
  const Wanted wanted = wanted_of(options);
  SqlSession session(options.conninfo);
  const TeardownPlan plan = plan_teardown(read_server_state(session, wanted), wanted);
  if (!plan.obstacles.empty()) throw to_error(plan.obstacles.front());
  if (plan.steps.empty()) {
    print(fmt::format("there is neither slot {} nor publication {}\n", wanted.slot,
                      wanted.publication));
    return 0;
  }
  print(losses_text(plan));
  need_agreement(options);
  run_steps(session, plan.steps, printing_steps(log));
  return 0;
}

}  // namespace walpost
