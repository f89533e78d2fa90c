#include "process_view.h"

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

#include "log_line.h"
#include "walpost/check.h"
#include "walpost/lsn.h"

namespace walpost {
namespace {

// The loop turns many times a second; a stop this long is no pause of a busy machine.
constexpr std::chrono::seconds kHeartbeatLimit{30};

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

template <typename T>
T read(const std::atomic<T>& value) {
  return value.load(std::memory_order_relaxed);
}

void put_text(Writer& writer, const char* key, std::string_view value) {
  const std::string text = valid_utf8(value);
  writer.Key(key);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void put_number(Writer& writer, const char* key, std::uint64_t value) {
  writer.Key(key);
  writer.Uint64(value);
}

void put_flag(Writer& writer, const char* key, bool value) {
  writer.Key(key);
  writer.Bool(value);
}

// null where it is not known.
void put_gauge(Writer& writer, const char* key, const std::atomic<std::int64_t>& gauge) {
  writer.Key(key);
  const std::optional<std::int64_t> value = value_of(gauge);
  value ? writer.Int64(*value) : writer.Null();
}

void put_lag(Writer& writer, const ProcessView& view) {
  put_gauge(writer, "lag_bytes", view.slot_gauges.lag_bytes);
  writer.Key("lag_seconds");
  const auto age = lag_time(view);
  age ? writer.Double(std::chrono::duration<double>(*age).count()) : writer.Null();
  put_gauge(writer, "retained_wal_bytes", view.slot_gauges.retained_bytes);
  put_gauge(writer, "safe_wal_bytes", view.slot_gauges.safe_wal_bytes);
  put_text(writer, "wal_status", to_string(read(view.slot_gauges.wal_status)));
}

void put_errors(Writer& writer, const ProcessView& view) {
  writer.Key("last_errors");
  writer.StartArray();
  for (const RecentErrors::Entry& entry : view.recent_errors.entries()) {
    writer.StartObject();
    put_text(writer, "time", utc_text(entry.time));
    put_text(writer, "level", level_name(entry.level));
    put_text(writer, "text", entry.text);
    writer.EndObject();
  }
  writer.EndArray();
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
    const bool streams = read(view.stats.state) == PipelineState::kStreaming;
    return streams ? std::optional(std::chrono::microseconds(0)) : std::nullopt;
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
  if (read(view.stats.standby)) {
    problems.push_back(fmt::format("slot {} is in another process's hands", view.slot));
  } else if (const PipelineState state = read(view.stats.state);
             state != PipelineState::kStreaming) {
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
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  const Stats& stats = view.stats;
  writer.StartObject();
  put_text(writer, "version", WALPOST_VERSION);
  put_text(writer, "slot", view.slot);
  put_text(writer, "publication", view.publication);
  put_text(writer, "database", view.database);
  const std::uint64_t system_identifier = read(view.slot_gauges.system_identifier);
  // As text: it needs all 64 bits, and many readers of JSON have 53.
  put_text(writer, "system_identifier",
           system_identifier == 0 ? "" : std::to_string(system_identifier));
  put_text(writer, "state", to_string(read(stats.state)));
  put_flag(writer, "standby", read(stats.standby));
  put_flag(writer, "ready", readiness_problems(view).empty());
  put_flag(writer, "sink_reachable", read(stats.sink_reachable));
  put_text(writer, "received_lsn", Lsn(read(stats.received_lsn)).to_string());
  put_text(writer, "flush_lsn", Lsn(read(stats.flush_lsn)).to_string());
  put_lag(writer, view);
  put_number(writer, "in_flight_records", read(stats.in_flight_records));
  put_number(writer, "in_flight_bytes", read(stats.in_flight_bytes));
  put_number(writer, "events", read(stats.events));
  put_number(writer, "transactions", read(stats.transactions));
  put_number(writer, "reconnects", read(stats.reconnects));
  put_errors(writer, view);
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + '\n';
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
         "/readyz   200 while there is progress\n/status   JSON\n";
}

}  // namespace walpost
