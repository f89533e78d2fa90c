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

}  // namespace

SlotWatch::SlotWatch(SlotWatchOptions options, const Clock& clock, Log log)
    : options_(std::move(options)),
      clock_(clock),
      log_(std::move(log)),
      backoff_(static_cast<std::uint64_t>(clock.now().time_since_epoch().count())),
      connection_(options_.conninfo, clock, clock.now()),
      next_tables_(clock.now()),
      changes_(options_.wanted, options_.max_slot_lag_bytes, log_) {}

bool SlotWatch::poll() {
  is_new_ = false;
  try {
    if (connection_.is_due()) ask();
    if (const auto results = connection_.poll()) take(parse_slot_status(*results, options_.wanted));
  } catch (const Error& error) {
    fail(error);
  }
  return is_new_;
}

void SlotWatch::ask() {
  const auto endpoint = options_.endpoint();
  if (!endpoint) return connection_.pause(kInterval);
  const auto now = clock_.now();
  const bool with_tables = now >= next_tables_;
  if (with_tables) next_tables_ = now + kTablesInterval;
  connection_.ask(*endpoint, slot_status_sql(options_.wanted, with_tables));
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
  connection_.pause(kInterval);
  is_new_ = true;
}

void SlotWatch::fail(const Error& error) {
  if (logged_error_ != error.what()) {
    logged_error_ = error.what();
    log_(LogLevel::kWarn, "the slot's status cannot be read; metrics of it are unknown",
         {{"slot", options_.wanted.slot}, {"error", error.what()}, {"hint", error.hint()}});
  }
  connection_.close();
  is_new_ = status_.has_value();
  status_.reset();
  next_tables_ = clock_.now();
  connection_.pause(backoff_.next());
}

}  // namespace walpost
