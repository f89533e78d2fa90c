#pragma once

#include <chrono>
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
// be reached, else as pg_error.h maps the SQLSTATE. One thread.
class SqlSession final {
 public:
  // What is asked reads a few rows of the catalog: milliseconds, on a loaded server a second.
  static constexpr std::chrono::seconds kAnswerTime{10};

  // Connects and logs in. `conninfo` as --dbname; empty: libpq's own defaults.
  explicit SqlSession(const std::string& conninfo, Duration answer_time = kAnswerTime);

  // One result per statement in `sql`. A server that has not answered in time counts as not
  // reachable.
  [[nodiscard]] std::vector<ResultTable> query(const std::string& sql);

  // Runs a step of setting up, however long it waits; meanwhile `log` says for whom. False: the
  // object exists already (42710).
  [[nodiscard]] bool run_step(const Step& step, const Log& log);

  // False after an Error that was no answer of the server: nothing more can be asked.
  [[nodiscard]] bool is_usable() const noexcept { return !has_given_up_ && connection_.is_open(); }

  [[nodiscard]] const ConnectionSettings& settings() const { return connection_.settings(); }

 private:
  std::string conninfo_;
  Duration answer_time_;
  SystemClock clock_;
  Connection connection_;
  bool has_given_up_ = false;  // an answer is still to come, and nobody waits for it
};

// Fills in the fields of the connection too.
[[nodiscard]] ServerState read_server_state(SqlSession& session, const Wanted& wanted);

// Runs the steps one by one; each that is done gives one line through `log`. That an object exists
// already (two instances in the same second) is no error.
void run_steps(SqlSession& session, std::span<const Step> steps, const Log& log);

// Says through `log` how many rows of the tables a slot that was just made will never send. `state`
// is of after run_steps().
void log_rows_before(SqlSession& session, const ServerState& state, const Wanted& wanted,
                     const Log& log);

}  // namespace walpost
