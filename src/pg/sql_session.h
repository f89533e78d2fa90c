#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "connection.h"
#include "result_table.h"
#include "server_state.h"
#include "setup_plan.h"
#include "walpost/clock.h"
#include "walpost/log.h"

namespace walpost {

// A plain connection for the commands that ask and go: setup, check, status, teardown. Blocks in
// ppoll(2). Every function throws Error: retryable with kPostgresUnreachable when the server cannot
// be reached, else as pg_error.h maps the SQLSTATE. After one the session is of no use.
class SqlSession final {
 public:
  // Connects and logs in. `conninfo` as --dbname; empty: libpq's own defaults.
  explicit SqlSession(const std::string& conninfo);

  // One result per statement in `sql`.
  [[nodiscard]] std::vector<ResultTable> query(const std::string& sql);
  void execute(const std::string& sql);

  // Runs a statement that makes something. False: that object exists already (42710). Calls
  // `on_wait` each time `interval` has passed without an answer.
  [[nodiscard]] bool create(const std::string& sql, std::chrono::milliseconds interval,
                            const std::function<void()>& on_wait);

  [[nodiscard]] std::int64_t backend_pid() const { return connection_.backend_pid(); }
  [[nodiscard]] const ConnectionSettings& settings() const { return connection_.settings(); }

 private:
  SystemClock clock_;
  Connection connection_;
};

// Fills in the fields of the connection too.
[[nodiscard]] ServerState read_server_state(SqlSession& session, const Wanted& wanted);

// Runs the steps one by one; each that is done gives one line through `log`. That an object exists
// already (two instances in the same second) is no error. While a step waits, its blockers are
// named every 5 s, read over a second connection.
void run_steps(SqlSession& session, const std::string& conninfo, std::span<const Step> steps,
               const Log& log);

}  // namespace walpost
