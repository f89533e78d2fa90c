#include <fmt/format.h>

#include "commands.h"
#include "findings.h"
#include "findings_text.h"
#include "print.h"
#include "setup_plan.h"
#include "sql_session.h"
#include "step_report.h"
#include "wanted.h"

namespace walpost {
namespace {

std::string sql_script(const SetupPlan& plan) {
  std::string script;
  for (const Finding& obstacle : plan.obstacles) {
    script +=
        fmt::format("-- this role cannot do all of it: {} ({})\n", obstacle.what, obstacle.why);
  }
  for (const Step& step : plan.steps) {
    script += fmt::format("-- {}\n{};\n", step.why, step.sql);
  }
  return script.empty() ? "-- everything is there already\n" : script;
}

// What is still wrong after everything that was missing is there: a slot of another plugin, say.
int report_rest(const ServerState& state, const Wanted& wanted) {
  std::vector<Finding> errors;
  for (Finding& finding : examine(state, wanted)) {
    if (finding.severity == Severity::kError) errors.push_back(std::move(finding));
  }
  if (errors.empty()) return 0;
  print(findings_text(errors));
  return static_cast<int>(ExitCode::kPostgresSetup);
}

}  // namespace

int setup(const Options& options, const Log& log) {
  const Wanted wanted = wanted_of(options);
  SqlSession session(options.conninfo);
  const ServerState before = read_server_state(session, wanted);
  const SetupPlan plan =
      plan_setup(before, wanted,
                 {.create_table = options.create_table, .slot_failover = options.slot_failover});
  if (options.print_sql) {
    print(sql_script(plan));
    return 0;
  }
  if (!plan.obstacles.empty()) throw to_error(plan.obstacles.front());
  if (plan.steps.empty()) print("everything is there already\n");
  run_steps(session, plan.steps, printing_steps(log));
  const ServerState after = read_server_state(session, wanted);  // with what was just made
  if (!before.slot && after.slot) log_rows_before(session, after, wanted, log);
  return report_rest(after, wanted);
}

}  // namespace walpost
