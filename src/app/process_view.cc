#include "process_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "json_writer.h"
#include "log_line.h"
#include "walpost/check.h"
#include "walpost/lsn.h"

namespace walpost {
namespace {

// The loop turns many times a second; a stop this long is no pause of a busy machine.
constexpr std::chrono::seconds kHeartbeatLimit{30};

// The server's position may be the end of a page of WAL, its last complete record before that.
constexpr std::uint64_t kWalPageBytes = 8'192;

template <typename T>
T read(const std::atomic<T>& value) {
  return value.load(std::memory_order_relaxed);
}

bool has_received_all(const ProcessView& view) {
  const std::uint64_t received = read(view.stats.received_lsn) + kWalPageBytes;
  const std::uint64_t current = read(view.slot_gauges.current_lsn);
  const std::uint64_t earlier = read(view.slot_gauges.earlier_current_lsn);
  // What is newer than the reading before may still be on its way.
  return (current != 0 && received >= current) || (earlier != 0 && received >= earlier);
}

void put_lag(JsonWriter& json, const ProcessView& view) {
  const auto age = lag_time(view);
  json.put("lag_bytes", value_of(view.slot_gauges.lag_bytes));
  json.put("lag_seconds",
           age ? std::optional(std::chrono::duration<double>(*age).count()) : std::nullopt);
  json.put("retained_wal_bytes", value_of(view.slot_gauges.retained_bytes));
  json.put("safe_wal_bytes", value_of(view.slot_gauges.safe_wal_bytes));
  json.put("wal_status", to_string(read(view.slot_gauges.wal_status)));
}

void put_errors(JsonWriter& json, const ProcessView& view) {
  json.begin_array("last_errors");
  for (const RecentErrors::Entry& entry : view.recent_errors.entries()) {
    json.begin_object();
    json.put("time", utc_text(entry.time));
    json.put("level", level_name(entry.level));
    json.put("text", entry.text);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string_view to_string(PipelineState state) noexcept {
  switch (state) {
    case PipelineState::kConnecting:
      return "connecting";
    case PipelineState::kStreaming:
      return "streaming";
    case PipelineState::kSettling:
      return "settling";
    case PipelineState::kDraining:
      return "draining";
    case PipelineState::kStopped:
      return "stopped";
  }
  CHECK(false);
}

std::optional<std::chrono::microseconds> lag_time(const ProcessView& view) {
  const std::int64_t oldest = read(view.stats.oldest_unacked_commit_time);
  if (oldest == 0) {
    const bool is_idle =
        read(view.stats.state) == PipelineState::kStreaming && has_received_all(view);
    return is_idle ? std::optional(std::chrono::microseconds(0)) : std::nullopt;
  }
  // The server's clock may be ahead of ours.
  return std::chrono::microseconds(
      std::max<std::int64_t>(0, view.clock.wall_now().value() - oldest));
}

std::vector<std::string> health_problems(const ProcessView& view) {
  const auto turned = std::chrono::nanoseconds(read(view.stats.heartbeat_ns));
  const auto age = view.clock.now().time_since_epoch() - turned;
  if (age <= kHeartbeatLimit) return {};
  return {fmt::format("the loop has not turned for {} s",
                      std::chrono::duration_cast<std::chrono::seconds>(age).count())};
}

std::vector<std::string> readiness_problems(const ProcessView& view) {
  std::vector<std::string> problems = health_problems(view);
  // It stands by for the one that streams, and is ready to.
  if (read(view.stats.standby)) return problems;
  if (const PipelineState state = read(view.stats.state); state != PipelineState::kStreaming) {
    problems.push_back(fmt::format("PostgreSQL does not stream: {}", to_string(state)));
  }
  if (!read(view.stats.sink_reachable)) problems.emplace_back("the sink cannot be reached");
  const std::optional<std::int64_t> lag = value_of(view.slot_gauges.lag_bytes);
  if (lag && view.max_slot_lag_bytes && *lag > 0 &&
      static_cast<std::uint64_t>(*lag) > *view.max_slot_lag_bytes) {
    problems.push_back(fmt::format("slot {} is {} bytes behind, more than the {} of --max-slot-lag",
                                   view.slot, *lag, *view.max_slot_lag_bytes));
  }
  if (read(view.slot_gauges.wal_status) == WalStatus::kLost) {
    problems.push_back(fmt::format("slot {} is lost", view.slot));
  }
  return problems;
}

std::string status_json(const ProcessView& view) {
  const Stats& stats = view.stats;
  JsonWriter json;
  json.begin_object();
  json.put("version", std::string_view(WALPOST_VERSION));
  json.put("slot", view.slot);
  json.put("publication", view.publication);
  json.put("database", view.database);
  const std::uint64_t system_identifier = read(view.slot_gauges.system_identifier);
  // As text: it needs all 64 bits, and many readers of JSON have 53.
  json.put("system_identifier",
           system_identifier == 0 ? std::string() : std::to_string(system_identifier));
  json.put("state", to_string(read(stats.state)));
  json.put("standby", read(stats.standby));
  json.put("ready", readiness_problems(view).empty());
  json.put("sink_reachable", read(stats.sink_reachable));
  json.put("received_lsn", Lsn(read(stats.received_lsn)).to_string());
  json.put("flush_lsn", Lsn(read(stats.flush_lsn)).to_string());
  put_lag(json, view);
  json.put("in_flight_records", read(stats.in_flight_records));
  json.put("in_flight_bytes", read(stats.in_flight_bytes));
  json.put("events", read(stats.events));
  json.put("transactions", read(stats.transactions));
  json.put("reconnects", read(stats.reconnects));
  put_errors(json, view);
  json.end_object();
  return json.text() + '\n';
}

std::string index_page(const ProcessView& view) {
  std::string page = fmt::format("walpost {}\nslot {}\nstate {}\n", WALPOST_VERSION, view.slot,
                                 to_string(read(view.stats.state)));
  const std::optional<std::int64_t> lag = value_of(view.slot_gauges.lag_bytes);
  page += lag ? fmt::format("lag {} bytes\n", *lag) : "lag unknown\n";
  for (const std::string& problem : readiness_problems(view)) {
    page += fmt::format("not ready: {}\n", problem);
  }
  return page +
         "\n/metrics  for Prometheus\n/healthz  200 while the loop turns\n"
         "/readyz   200 while there is progress, or another process to stand by for\n"
         "/status   JSON\n";
}

}  // namespace walpost
