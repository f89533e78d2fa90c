#include "sql_session.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "pg_error.h"
#include "slot_wait_report.h"
#include "walpost/check.h"

namespace walpost {
namespace {

using namespace std::chrono_literals;

// How often a report is looked after while it works: block() waits for one descriptor.
constexpr auto kReportInterval = 50ms;

// Waits as `wait` says, at most until `limit`.
void block(const WaitFor& wait, const Clock& clock, std::optional<TimePoint> limit) {
  auto until = wait.at;
  if (limit && (!until || *limit < *until)) until = limit;
  std::optional<timespec> timeout;
  if (until) {
    const auto left = std::max(*until - clock.now(), Duration::zero());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    timeout = timespec{.tv_sec = seconds.count(),
                       .tv_nsec = std::chrono::nanoseconds(left - seconds).count()};
  }
  pollfd entry{
      .fd = wait.fd,
      .events = static_cast<short>((wait.readable ? POLLIN : 0) | (wait.writable ? POLLOUT : 0)),
      .revents = 0};
  const int ready = ::ppoll(&entry, 1, timeout ? &*timeout : nullptr, nullptr);
  CHECK(ready >= 0 || errno == EINTR);
}

}  // namespace

SqlSession::SqlSession(const std::string& conninfo, Duration answer_time)
    : conninfo_(conninfo),
      answer_time_(answer_time),
      connection_(ConnectionOptions{.conninfo = conninfo}, clock_) {
  while (!connection_.poll_login()) block(connection_.wait_for(), clock_, std::nullopt);
}

std::vector<ResultTable> SqlSession::query(const std::string& sql) {
  const auto deadline = clock_.now() + answer_time_;
  connection_.start_query(sql);
  while (true) {
    if (auto results = connection_.poll_query()) return std::move(*results);
    if (clock_.now() >= deadline) {
      throw Error::retryable(ExitCode::kPostgresUnreachable,
                             "PostgreSQL took the login and then did not answer in time",
                             "look whether the server is stopped or overloaded");
    }
    block(connection_.wait_for(), clock_, deadline);
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
      const auto wait = report.wait_for();
      block(connection_.wait_for(), clock_,
            wait.fd < 0 ? wait.at : std::optional(clock_.now() + kReportInterval));
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
    RowsBefore rows{.table = table.name};
    if (table.may_select) {
      try {
        const auto results = session.query(rows_before_sql(table.name, wanted.slot));
        rows = parse_rows_before(table.name, results.back());
      } catch (const Error&) {
        // A lock on the table, or a scan that takes too long: the count stays unknown.
      }
    }
    if (const auto text = rows_before_text(rows, wanted.slot)) {
      log(rows.least == 0 ? LogLevel::kInfo : LogLevel::kWarn, *text, {{"slot", wanted.slot}});
    }
  }
}

}  // namespace walpost
