#include "sql_session.h"

#include <array>
#include <utility>

#include "pg_error.h"
#include "rows_before.h"
#include "slot_wait_report.h"
#include "walpost/wait.h"

namespace walpost {
namespace {

RowsBefore count_rows_before(SqlSession& session, const TableState& table,
                             const std::string& slot) {
  if (!table.may_select) return rows_unreadable(table.name);
  try {
    return parse_rows_before(table.name, session.query(rows_before_sql(table.name, slot)).back());
  } catch (const Error& error) {
    // A lock on the table, or a scan that takes too long, is no reason to fail.
    if (!session.is_usable()) throw;
    return rows_uncounted(table.name, error.what());
  }
}

}  // namespace

SqlSession::SqlSession(const std::string& conninfo, Duration answer_time)
    : conninfo_(conninfo),
      answer_time_(answer_time),
      connection_(ConnectionOptions{.conninfo = conninfo}, clock_) {
  while (!connection_.poll_login()) {
    wait_for_any(std::array{connection_.wait_for()}, TimePoint::max(), clock_);
  }
}

std::vector<ResultTable> SqlSession::query(const std::string& sql) {
  const auto deadline = clock_.now() + answer_time_;
  connection_.start_query(sql);
  while (true) {
    if (auto results = connection_.poll_query()) return std::move(*results);
    if (clock_.now() >= deadline) {
      has_given_up_ = true;
      throw Error::retryable(ExitCode::kPostgresUnreachable,
                             "PostgreSQL took the login and then did not answer in time",
                             "look whether the server is stopped or overloaded");
    }
    wait_for_any(std::array{connection_.wait_for()}, deadline, clock_);
  }
}

bool SqlSession::run_step(const Step& step, const Log& log) {
  SlotWaitReport report({.conninfo = conninfo_,
                         .endpoint = connection_.endpoint(),
                         .backend_pid = connection_.backend_pid(),
                         .kind = step.kind},
                        clock_, log);
  connection_.start_query(guarded_sql(step));
  try {
    while (!connection_.poll_query()) {
      report.poll();
      wait_for_any(std::array{connection_.wait_for(), report.wait_for()}, TimePoint::max(), clock_);
    }
  } catch (const Error& error) {
    if (connection_.last_sqlstate() == kDuplicateObject) return false;
    throw with_statement(error, step.sql);
  }
  return true;
}

ServerState read_server_state(SqlSession& session, const Wanted& wanted) {
  auto state = parse_server_state(session.query(server_state_sql(wanted)), wanted);
  state.host = session.settings().host;
  state.sslmode = session.settings().sslmode;
  return state;
}

void run_steps(SqlSession& session, std::span<const Step> steps, const Log& log) {
  for (const auto& step : steps) {
    const bool is_new = session.run_step(step, log);
    log(LogLevel::kInfo, is_new ? "done" : "was there already",
        {{"sql", step.sql}, {"why", step.why}});
  }
}

void log_rows_before(SqlSession& session, const ServerState& state, const Wanted& wanted,
                     const Log& log) {
  for (const auto& table : state.tables) {
    log_rows_before(count_rows_before(session, table, wanted.slot), wanted.slot, SlotAge::kNew,
                    log);
  }
}

}  // namespace walpost
