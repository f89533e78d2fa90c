#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "connection.h"
#include "result_table.h"
#include "walpost/clock.h"
#include "walpost/wait.h"

namespace walpost {

// An ordinary connection beside one that is busy, for a question now and then: it logs in when
// there is something to ask, and gives up a server that does not answer. Never blocks. One thread.
class SecondConnection final {
 public:
  // The first question may come at `first`. `clock` must outlive it.
  SecondConnection(std::string conninfo, const Clock& clock, TimePoint first);

  // True when a question may be asked: none is under way, and the pause is over.
  [[nodiscard]] bool is_due() const;

  // Asks `sql` at `endpoint`, where the busy connection is: no name is resolved. A connection to
  // another endpoint is dropped first: its server may still answer, but not for this one.
  void ask(const Endpoint& endpoint, std::string sql);

  // Goes on with the question under way: all results once they are there; nullopt: not yet, or none
  // is under way. Throws Error, retryable where the server cannot be reached or did not answer in
  // time; close() must follow.
  [[nodiscard]] std::optional<std::vector<ResultTable>> poll();

  // Nothing is asked before `duration` has passed. None may be under way.
  void pause(Duration duration);

  // Drops the connection, and the question with it.
  void close();

  // When to poll() or, if nothing is under way, to ask again.
  [[nodiscard]] WaitFor wait_for() const;

 private:
  enum class Phase { kIdle, kLogin, kAsking };

  void send();

  std::string conninfo_;
  const Clock& clock_;
  Phase phase_ = Phase::kIdle;
  std::optional<Endpoint> endpoint_;  // of connection_
  std::unique_ptr<Connection> connection_;
  std::string sql_;       // of the question under way
  TimePoint next_;        // end of the pause
  TimePoint deadline_{};  // of the answer under way
};

}  // namespace walpost
