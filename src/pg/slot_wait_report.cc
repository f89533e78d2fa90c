#include "slot_wait_report.h"

#include <chrono>
#include <utility>

#include "walpost/error.h"

namespace walpost {
namespace {

using namespace std::chrono_literals;

// Late enough that the ordinary wait of a moment is not worth a line, and often enough that who
// watches sees it go on.
constexpr auto kInterval = 5s;
constexpr auto kAnswerTime = 10s;

}  // namespace

SlotWaitReport::SlotWaitReport(SlotWaitReportOptions options, const Clock& clock, Log log)
    : options_(std::move(options)),
      clock_(clock),
      log_(std::move(log)),
      next_(clock.now() + kInterval) {}

void SlotWaitReport::poll() {
  try {
    advance();
  } catch (const Error& error) {
    if (!std::exchange(failure_logged_, true)) {
      log_(LogLevel::kWarn, "setting up waits for the server, which does not say for whom",
           {{"error", error.what()}, {"hint", error.hint()}});
    }
    pause();
  }
}

void SlotWaitReport::advance() {
  if (phase_ == Phase::kPausing) {
    if (clock_.now() < next_) return;
    connection_ = std::make_unique<Connection>(
        ConnectionOptions{.conninfo = options_.conninfo, .endpoint = options_.endpoint}, clock_);
    phase_ = Phase::kLogin;
  }
  if (phase_ == Phase::kLogin) {
    if (!connection_->poll_login()) return;
    connection_->start_query(slot_blockers_sql(options_.backend_pid));
    deadline_ = clock_.now() + kAnswerTime;
    phase_ = Phase::kAsking;
  }
  if (const auto results = connection_->poll_query()) {
    log_(LogLevel::kWarn, slot_blockers_text(result_at(*results, 0), options_.kind),
         {{"hint", "end these transactions: SELECT pg_terminate_backend(PID);"}});
    pause();
  } else if (clock_.now() >= deadline_) {
    throw Error::retryable(ExitCode::kPostgresUnreachable, "PostgreSQL did not answer in time");
  }
}

void SlotWaitReport::pause() {
  connection_.reset();
  next_ = clock_.now() + kInterval;
  phase_ = Phase::kPausing;
}

WaitFor SlotWaitReport::wait_for() const {
  switch (phase_) {
    case Phase::kPausing:
      return {.at = next_};
    case Phase::kLogin:
      return connection_->wait_for();
    case Phase::kAsking: {
      auto wait = connection_->wait_for();
      wait.at = deadline_;
      return wait;
    }
  }
  return {};
}

}  // namespace walpost
