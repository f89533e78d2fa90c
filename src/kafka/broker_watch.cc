#include "broker_watch.h"

#include <librdkafka/rdkafka.h>

#include <chrono>
#include <utility>

#include "kafka_error.h"

namespace walpost {
namespace {

// While nobody answers: often enough for /readyz, and one small request each.
constexpr std::chrono::seconds kRetry{1};
// Records in flight and no report: a connection that swallows everything is found by asking, long
// before socket.timeout.ms ends it.
constexpr std::chrono::seconds kSilence{5};

}  // namespace

BrokerWatch::BrokerWatch(std::string bootstrap, const Log& log, const Clock& clock)
    : bootstrap_(std::move(bootstrap)), log_(log), clock_(clock), heard_at_(clock.now()) {}

void BrokerWatch::note_error(int error, std::string_view text) {
  if (error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
    // Brokers also close idle connections, so ask before believing it.
    is_doubtful_ = true;
    probe_at_ = TimePoint();
    return;
  }
  reason_ = text;
  log_(LogLevel::kDebug, "broker error", {{"error", reason_}});
}

void BrokerWatch::note_answer(int error) {
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    is_doubtful_ = false;
    set_reachable();
    return;
  }
  is_reachable_ = false;
  is_doubtful_ = true;
  probe_at_ = clock_.now() + kRetry;
  if (!is_waiting_told_) {
    is_waiting_told_ = true;
    log_(LogLevel::kWarn, "waiting for broker",
         {{"brokers", bootstrap_}, {"error", reason_.empty() ? kafka_error_text(error) : reason_}});
  }
}

void BrokerWatch::note_delivered() {
  heard_at_ = clock_.now();
  if (!is_reachable_) {
    set_reachable();
  }
}

void BrokerWatch::set_reachable() {
  is_reachable_ = true;
  heard_at_ = clock_.now();
  reason_.clear();
  if (is_waiting_told_) {
    is_waiting_told_ = false;
    log_(LogLevel::kInfo, "broker reachable", {{"brokers", bootstrap_}});
  }
}

void BrokerWatch::note_new_client() {
  is_doubtful_ = true;
  probe_at_ = TimePoint();
}

bool BrokerWatch::is_probe_due(std::uint64_t in_flight_count) const {
  const TimePoint now = clock_.now();
  const bool is_silent = in_flight_count > 0 && now - heard_at_ >= kSilence;
  return (is_doubtful_ || is_silent) && now >= probe_at_;
}

void BrokerWatch::note_asked() {
  // Until the answer is there nothing else is to be asked.
  is_doubtful_ = false;
}

}  // namespace walpost
