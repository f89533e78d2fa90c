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

SlotWatch::SlotWatch(std::string conninfo, Wanted wanted, const Clock& clock, Log log)
    : conninfo_(std::move(conninfo)),
      wanted_(std::move(wanted)),
      clock_(clock),
      log_(std::move(log)),
      backoff_(static_cast<std::uint64_t>(clock.now().time_since_epoch().count())),
      next_(clock.now()),
      next_tables_(clock.now()) {}

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
    if (connection_) {
      ask();
    } else {
      connection_ = std::make_unique<Connection>(ConnectionOptions{.conninfo = conninfo_}, clock_);
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
    take(parse_slot_status(*results, wanted_));
  } else if (clock_.now() >= deadline_) {
    throw Error::retryable(ExitCode::kPostgresUnreachable, "PostgreSQL did not answer in time");
  }
}

void SlotWatch::ask() {
  const auto now = clock_.now();
  const bool with_tables = now >= next_tables_;
  connection_->start_query(slot_status_sql(wanted_, with_tables));
  if (with_tables) next_tables_ = now + kTablesInterval;
  deadline_ = now + kAnswerTime;
  phase_ = Phase::kAsking;
}

void SlotWatch::take(SlotStatus status) {
  if (!status.unpublished_tables && status_) {
    status.unpublished_tables = status_->unpublished_tables;
  }
  if (!logged_error_.empty()) {
    log_(LogLevel::kInfo, "the slot's status can be read again", {{"slot", wanted_.slot}});
    logged_error_.clear();
  }
  log_changes(status);
  status_ = std::move(status);
  backoff_.reset();
  next_ = clock_.now() + kInterval;
  phase_ = Phase::kPausing;
  is_new_ = true;
}

void SlotWatch::log_changes(const SlotStatus& status) {
  if (status.wal_status != logged_wal_status_) {
    logged_wal_status_ = status.wal_status;
    const bool is_bad = status.wal_status == "unreserved" || status.wal_status == "lost";
    log_(is_bad ? LogLevel::kWarn : LogLevel::kDebug, "the slot's wal_status changed",
         {{"slot", wanted_.slot}, {"wal_status", status.wal_status}});
  }
  std::string unpublished;
  for (const auto& table : status.unpublished_tables.value_or(std::vector<TableName>{})) {
    if (!unpublished.empty()) unpublished += ", ";
    unpublished += to_sql(table);
  }
  if (unpublished == logged_unpublished_) return;
  logged_unpublished_ = unpublished;
  if (unpublished.empty()) {
    log_(LogLevel::kInfo, "every outbox table is in the publication again",
         {{"slot", wanted_.slot}, {"publication", wanted_.publication}});
  } else {
    log_(LogLevel::kWarn, "an outbox table is not in the publication: its rows are not sent",
         {{"slot", wanted_.slot},
          {"publication", wanted_.publication},
          {"table", unpublished},
          {"hint", "walpost check prints the command that mends it"}});
  }
}

void SlotWatch::fail(const Error& error) {
  if (logged_error_ != error.what()) {
    logged_error_ = error.what();
    log_(LogLevel::kWarn, "the slot's status cannot be read; metrics of it are unknown",
         {{"slot", wanted_.slot}, {"error", error.what()}, {"hint", error.hint()}});
  }
  connection_.reset();
  is_new_ = status_.has_value();
  status_.reset();
  next_tables_ = clock_.now();
  next_ = clock_.now() + backoff_.next();
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
