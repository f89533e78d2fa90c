#include "status_report.h"

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

#include "display_text.h"
#include "log_line.h"
#include "walpost/check.h"

namespace walpost {
namespace {

struct Reason {
  Verdict verdict;
  std::string text;
};

// Worse than a warning is not to know; but what is known to be wrong comes first.
int rank(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::kOk:
      return 0;
    case Verdict::kUnknown:
      return 1;
    case Verdict::kWarning:
      return 2;
    case Verdict::kCritical:
      return 3;
  }
  CHECK(false);
}

void judge_lag(const StatusReport& report, const Options& options, std::vector<Reason>& reasons) {
  if (!options.max_lag_bytes && !options.warn_lag_bytes) return;
  const std::optional<std::int64_t> lag = report.slot_status.lag_bytes;
  if (!lag) {
    reasons.push_back({Verdict::kUnknown, "the lag is unknown"});
    return;
  }
  const auto exceeds = [&](const std::optional<std::uint64_t>& limit) {
    return limit && *lag > 0 && static_cast<std::uint64_t>(*lag) > *limit;
  };
  if (exceeds(options.max_lag_bytes)) {
    reasons.push_back(
        {Verdict::kCritical, fmt::format("the lag of {} bytes is above the {} of --max-lag", *lag,
                                         *options.max_lag_bytes)});
  } else if (exceeds(options.warn_lag_bytes)) {
    reasons.push_back(
        {Verdict::kWarning, fmt::format("the lag of {} bytes is above the {} of --warn-lag", *lag,
                                        *options.warn_lag_bytes)});
  }
}

void judge_slot(const StatusReport& report, std::vector<Reason>& reasons) {
  const SlotStatus& slot = report.slot_status;
  if (!slot.exists) {
    reasons.push_back({Verdict::kCritical, fmt::format("slot {} does not exist", report.slot)});
    return;
  }
  if (slot.wal_status == "lost") {
    reasons.push_back({Verdict::kCritical,
                       fmt::format("slot {} is lost: WAL that it needs is gone", report.slot)});
  } else if (slot.wal_status == "unreserved") {
    reasons.push_back(
        {Verdict::kCritical,
         fmt::format("slot {} is about to be lost: it is beyond max_slot_wal_keep_size",
                     report.slot)});
  }
  if (!slot.active) {
    reasons.push_back({Verdict::kWarning, "nobody streams from the slot; WAL is kept for it"});
  }
  for (const TableName& table : slot.unpublished_tables.value_or(std::vector<TableName>{})) {
    reasons.push_back({Verdict::kCritical, fmt::format("publication {} does not send rows of {}",
                                                       report.publication, to_sql(table))});
  }
}

void judge_process(const StatusReport& report, std::vector<Reason>& reasons) {
  if (!report.process || report.process->standby) return;
  if (!report.process->sink_reachable) {
    reasons.push_back({Verdict::kWarning, "walpost cannot reach its sink"});
  } else if (!report.process->ready) {
    reasons.push_back({Verdict::kWarning, "walpost makes no progress: see its /readyz"});
  }
}

std::string or_unknown(const std::optional<std::int64_t>& bytes) {
  return bytes ? fmt::format("{} ({} bytes)", bytes_text(*bytes), *bytes) : "unknown";
}

std::string or_unknown(const std::optional<Lsn>& lsn) { return lsn ? lsn->to_string() : "unknown"; }

std::string lag_time_text(const StatusReport& report) {
  if (!report.process || !report.process->lag_seconds) return "unknown";
  return duration_text(std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::duration<double>(*report.process->lag_seconds)));
}

std::string safe_wal_text(const SlotStatus& slot) {
  if (slot.safe_wal_size) return or_unknown(slot.safe_wal_size);
  return slot.max_slot_wal_keep_size_mb == -1 ? "without limit (max_slot_wal_keep_size is -1)"
                                              : "unknown";
}

std::string holder_text(const SlotStatus& slot) {
  return slot.holder ? slot.holder->to_string() : "nobody";
}

std::string process_text(const StatusReport& report) {
  if (!report.process) return fmt::format("walpost     {}\n", report.process_note);
  const ProcessStatus& process = *report.process;
  std::string text =
      fmt::format("walpost     {}, {}; in flight {} records ({}), {} events, {} reconnects\n",
                  process.standby ? "standby" : without_control(process.state),
                  process.ready ? "ready" : "not ready", count_text(process.in_flight_records),
                  bytes_text(static_cast<std::int64_t>(process.in_flight_bytes)),
                  count_text(process.events), count_text(process.reconnects));
  for (const ProcessStatus::LastError& error : process.last_errors) {
    text += fmt::format("            {} {} {}\n", without_control(error.time),
                        without_control(error.level), without_control(error.text));
  }
  return text;
}

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void put(Writer& writer, const char* key, std::string_view value) {
  const std::string text = valid_utf8(value);
  writer.Key(key);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void put(Writer& writer, const char* key, const std::optional<std::int64_t>& value) {
  writer.Key(key);
  value ? writer.Int64(*value) : writer.Null();
}

void put(Writer& writer, const char* key, const std::optional<Lsn>& value) {
  if (value) {
    put(writer, key, std::string_view(value->to_string()));
  } else {
    writer.Key(key);
    writer.Null();
  }
}

void put_process(Writer& writer, const StatusReport& report) {
  writer.Key("lag_seconds");
  const bool is_known = report.process && report.process->lag_seconds;
  is_known ? writer.Double(*report.process->lag_seconds) : writer.Null();
  writer.Key("process");
  if (!report.process) {
    writer.Null();
    put(writer, "process_note", report.process_note);
    return;
  }
  const ProcessStatus& process = *report.process;
  writer.StartObject();
  put(writer, "version", process.version);
  put(writer, "state", process.state);
  writer.Key("standby");
  writer.Bool(process.standby);
  writer.Key("ready");
  writer.Bool(process.ready);
  writer.Key("in_flight_records");
  writer.Uint64(process.in_flight_records);
  writer.Key("in_flight_bytes");
  writer.Uint64(process.in_flight_bytes);
  writer.Key("events");
  writer.Uint64(process.events);
  writer.Key("reconnects");
  writer.Uint64(process.reconnects);
  writer.Key("last_errors");
  writer.StartArray();
  for (const ProcessStatus::LastError& error : process.last_errors) {
    writer.StartObject();
    put(writer, "time", error.time);
    put(writer, "level", error.level);
    put(writer, "text", error.text);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
}

void put_holder(Writer& writer, const SlotStatus& slot) {
  writer.Key("holder");
  if (!slot.holder) {
    writer.Null();
    return;
  }
  writer.StartObject();
  writer.Key("pid");
  writer.Int64(slot.holder->pid);
  put(writer, "user", slot.holder->user);
  put(writer, "application_name", slot.holder->application_name);
  put(writer, "client_address", slot.holder->client_address);
  writer.EndObject();
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kWarning:
      return "warning";
    case Verdict::kCritical:
      return "critical";
    case Verdict::kUnknown:
      return "unknown";
  }
  CHECK(false);
}

bool serves_slot(const ProcessStatus& process, const ServerState& server, const std::string& slot) {
  return process.slot == slot && !server.system_identifier.empty() &&
         process.system_identifier == server.system_identifier;
}

void judge(StatusReport& report, const Options& options) {
  std::vector<Reason> reasons;
  judge_slot(report, reasons);
  if (report.slot_status.exists) judge_lag(report, options, reasons);
  judge_process(report, reasons);
  std::ranges::stable_sort(reasons, [](const Reason& left, const Reason& right) {
    return rank(left.verdict) > rank(right.verdict);
  });
  report.verdict = reasons.empty() ? Verdict::kOk : reasons.front().verdict;
  report.reasons.clear();
  for (Reason& reason : reasons) report.reasons.push_back(std::move(reason.text));
}

std::string status_text(const StatusReport& report) {
  const SlotStatus& slot = report.slot_status;
  std::string text = fmt::format("{}", to_string(report.verdict));
  for (const std::string& reason : report.reasons) {
    text += fmt::format("{} {}", &reason == report.reasons.data() ? ":" : ";", reason);
  }
  text += fmt::format("\nslot        {} on {}, PostgreSQL {}\n", report.slot, report.database,
                      report.server_version);
  if (!slot.exists) return text + process_text(report);
  text +=
      fmt::format("lag         {}, time {}\n", or_unknown(slot.lag_bytes), lag_time_text(report));
  text += fmt::format("WAL kept    {}\n", or_unknown(slot.retained_bytes));
  text += fmt::format(
      "wal_status  {}{}\n", slot.wal_status.empty() ? "unknown" : slot.wal_status,
      slot.invalidation_reason.empty() ? "" : fmt::format(" ({})", slot.invalidation_reason));
  text += fmt::format("safe WAL    {}\n", safe_wal_text(slot));
  text += fmt::format("streamed by {}\n", holder_text(slot));
  text += fmt::format("positions   confirmed {}, restart {}, current {}\n",
                      or_unknown(slot.confirmed_flush_lsn), or_unknown(slot.restart_lsn),
                      or_unknown(slot.current_lsn));
  return text + process_text(report);
}

std::string status_json(const StatusReport& report) {
  const SlotStatus& slot = report.slot_status;
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  writer.StartObject();
  put(writer, "verdict", to_string(report.verdict));
  writer.Key("reasons");
  writer.StartArray();
  for (const std::string& reason : report.reasons) writer.String(valid_utf8(reason).c_str());
  writer.EndArray();
  put(writer, "slot", report.slot);
  put(writer, "publication", report.publication);
  put(writer, "database", report.database);
  put(writer, "server_version", report.server_version);
  writer.Key("exists");
  writer.Bool(slot.exists);
  writer.Key("active");
  writer.Bool(slot.active);
  put_holder(writer, slot);
  put(writer, "lag_bytes", slot.lag_bytes);
  put(writer, "retained_wal_bytes", slot.retained_bytes);
  put(writer, "wal_status", slot.wal_status);
  put(writer, "invalidation_reason", slot.invalidation_reason);
  put(writer, "safe_wal_bytes", slot.safe_wal_size);
  put(writer, "confirmed_flush_lsn", slot.confirmed_flush_lsn);
  put(writer, "restart_lsn", slot.restart_lsn);
  put(writer, "current_lsn", slot.current_lsn);
  put_process(writer, report);
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + '\n';
}

}  // namespace walpost
