#include "sql_session.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "pg_error.h"
#include "walpost/check.h"

namespace walpost {
namespace {

using namespace std::chrono_literals;

// How often the blockers of a slot's creation are named.
constexpr std::chrono::milliseconds kSlotReportInterval = 5s;

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

SqlSession::SqlSession(const std::string& conninfo)
    : connection_(ConnectionOptions{.conninfo = conninfo}, clock_) {
  while (!connection_.poll_login()) block(connection_.wait_for(), clock_, std::nullopt);
}

std::vector<ResultTable> SqlSession::query(const std::string& sql) {
  connection_.start_query(sql);
  while (true) {
    if (auto results = connection_.poll_query()) return std::move(*results);
    block(connection_.wait_for(), clock_, std::nullopt);
  }
}

void SqlSession::execute(const std::string& sql) { (void)query(sql); }

bool SqlSession::create(const std::string& sql, std::chrono::milliseconds interval,
                        const std::function<void()>& on_wait) {
  connection_.start_query(sql);
  auto next_report = clock_.now() + interval;
  try {
    while (!connection_.poll_query()) {
      if (clock_.now() >= next_report) {
        on_wait();
        next_report = clock_.now() + interval;
      }
      block(connection_.wait_for(), clock_, next_report);
    }
  } catch (const Error& error) {
    if (connection_.last_sqlstate() == kDuplicateObject) return false;
    throw Error(error.exit_code(), fmt::format("{}: {}", sql, error.what()), error.hint());
  }
  return true;
}

ServerState read_server_state(SqlSession& session, const Wanted& wanted) {
  auto state = parse_server_state(session.query(server_state_sql(wanted)), wanted);
  state.host = session.settings().host;
  state.sslmode = session.settings().sslmode;
  return state;
}

void run_steps(SqlSession& session, const std::string& conninfo, std::span<const Step> steps,
               const Log& log) {
  // Without it a backend that waits goes on when its client is gone, and leaves a slot behind.
  if (!steps.empty()) session.execute("SET client_connection_check_interval = '2s'");
  for (const auto& step : steps) {
    const auto on_wait = [&] {
      SqlSession watch(conninfo);
      const auto results = watch.query(slot_blockers_sql(session.backend_pid()));
      log(LogLevel::kWarn, slot_blockers_text(results.front()),
          {{"hint", "end these transactions: SELECT pg_terminate_backend(PID);"}});
    };
    const bool is_new = session.create(step.sql, kSlotReportInterval, on_wait);
    log(LogLevel::kInfo, is_new ? "done" : "was there already",
        {{"sql", step.sql}, {"why", step.why}});
  }
}

}  // namespace walpost
