#include "slot_watch.h"

#include <chrono>
#include <utility>

#include "walpost/error.h"

namespace walpost {
namespace {

using namespace std::chrono_literals;

// Fresh enough for a scrape every second, cheap enough to be nothing: one catalog query.
constexpr auto kInterval = 500ms;
// A table that left its publication is silent otherwise; a minute of silence is bearable.
constexpr auto kTablesInterval = 60s;
constexpr auto kAnswerTime = 10s;

}  // namespace

SlotWatch::SlotWatch(SlotWatchOptions options, const Clock& clock, Log log)
    : options_(std::move(options)),
      clock_(clock),
      log_(std::move(log)),
      backoff_(static_cast<std::uint64_t>(clock.now().time_since_epoch().count())),
      next_(clock.now()),
      next_tables_(clock.now()),
      changes_(options_.wanted, options_.max_slot_lag_bytes, log_) {}

bool SlotWatch::poll() {
  is_new_ = false;
  try {
    advance();
  } catch (const Error& error) {
    fail(error);
  }
  return is_new_;
}

void SlotWatch::advance() {
  if (phase_ == Phase::kPausing) {
    if (clock_.now() < next_) return;
    const auto endpoint = options_.endpoint();
    if (!endpoint) return pause(kInterval);
    // The stream has moved to another server: this one may still answer, for a slot of its own.
    if (endpoint != endpoint_) connection_.reset();
    if (connection_) {
      ask();
    } else {
      endpoint_ = endpoint;
      connection_ = std::make_unique<Connection>(
          ConnectionOptions{.conninfo = options_.conninfo, .endpoint = endpoint_}, clock_);
      phase_ = Phase::kLogin;
    }
  }
  if (phase_ == Phase::kLogin) {
    if (!connection_->poll_login()) return;
    ask();
  }
  if (phase_ != Phase::kAsking) return;
  const auto results = connection_->poll_query();
  if (results) {
    take(parse_slot_status(*results, options_.wanted));
  } else if (clock_.now() >= deadline_) {
    throw Error::retryable(ExitCode::kPostgresUnreachable, "PostgreSQL did not answer in time");
  }
}

void SlotWatch::ask() {
  const auto now = clock_.now();
  const bool with_tables = now >= next_tables_;
  connection_->start_query(slot_status_sql(options_.wanted, with_tables));
  if (with_tables) next_tables_ = now + kTablesInterval;
  deadline_ = now + kAnswerTime;
  phase_ = Phase::kAsking;
}

void SlotWatch::take(SlotStatus status) {
  if (!status.unpublished_tables && status_) {
    status.unpublished_tables = status_->unpublished_tables;
  }
  if (!logged_error_.empty()) {
    log_(LogLevel::kInfo, "the slot's status can be read again", {{"slot", options_.wanted.slot}});
    logged_error_.clear();
  }
  changes_.take(status);
  status_ = std::move(status);
  backoff_.reset();
  pause(kInterval);
  is_new_ = true;
}

void SlotWatch::fail(const Error& error) {
  if (logged_error_ != error.what()) {
    logged_error_ = error.what();
    log_(LogLevel::kWarn, "the slot's status cannot be read; metrics of it are unknown",
         {{"slot", options_.wanted.slot}, {"error", error.what()}, {"hint", error.hint()}});
  }
  connection_.reset();
  is_new_ = status_.has_value();
  status_.reset();
  next_tables_ = clock_.now();
  pause(backoff_.next());
}

void SlotWatch::pause(Duration duration) {
  next_ = clock_.now() + duration;
  phase_ = Phase::kPausing;
}

WaitFor SlotWatch::wait_for() const {
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
