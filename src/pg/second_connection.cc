#include "second_connection.h"

#include <chrono>
#include <utility>

#include "walpost/check.h"
#include "walpost/error.h"

namespace walpost {
namespace {

// What is asked here reads a few rows of the catalog: milliseconds, on a loaded server a second.
constexpr std::chrono::seconds kAnswerTime{10};

}  // namespace

SecondConnection::SecondConnection(std::string conninfo, const Clock& clock, TimePoint first)
    : conninfo_(std::move(conninfo)), clock_(clock), next_(first) {}

bool SecondConnection::is_due() const { return phase_ == Phase::kIdle && clock_.now() >= next_; }

void SecondConnection::ask(const Endpoint& endpoint, std::string sql) {
  CHECK(phase_ == Phase::kIdle);
  if (endpoint_ != endpoint) connection_.reset();
  sql_ = std::move(sql);
  if (connection_) {
    send();
    return;
  }
  endpoint_ = endpoint;
  connection_ = std::make_unique<Connection>(
      ConnectionOptions{.conninfo = conninfo_, .endpoint = endpoint_}, clock_);
  phase_ = Phase::kLogin;
}

void SecondConnection::send() {
  connection_->start_query(sql_);
  deadline_ = clock_.now() + kAnswerTime;
  phase_ = Phase::kAsking;
}

std::optional<std::vector<ResultTable>> SecondConnection::poll() {
  if (phase_ == Phase::kIdle) return std::nullopt;
  if (phase_ == Phase::kLogin) {
    if (!connection_->poll_login()) return std::nullopt;
    send();
  }
  auto results = connection_->poll_query();
  if (results) {
    phase_ = Phase::kIdle;
  } else if (clock_.now() >= deadline_) {
    throw Error::retryable(ExitCode::kPostgresUnreachable, "PostgreSQL did not answer in time");
  }
  return results;
}

void SecondConnection::pause(Duration duration) {
  CHECK(phase_ == Phase::kIdle);
  next_ = clock_.now() + duration;
}

void SecondConnection::close() {
  connection_.reset();
  phase_ = Phase::kIdle;
}

WaitFor SecondConnection::wait_for() const {
  switch (phase_) {
    case Phase::kIdle:
      return {.at = next_};
    case Phase::kLogin:
      return connection_->wait_for();
    case Phase::kAsking: {
      auto wait = connection_->wait_for();
      wait.at = deadline_;
      return wait;
    }
  }
  CHECK(false);
}

}  // namespace walpost
