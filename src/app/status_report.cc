#include "status_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "display_text.h"
#include "json_writer.h"
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

std::optional<std::string> text_of(const std::optional<Lsn>& lsn) {
  return lsn ? std::optional(lsn->to_string()) : std::nullopt;
}

void put_process(JsonWriter& json, const StatusReport& report) {
  json.put("lag_seconds", report.process ? report.process->lag_seconds : std::nullopt);
  if (!report.process) {
    json.put("process", std::nullopt);
    json.put("process_note", report.process_note);
    return;
  }
  const ProcessStatus& process = *report.process;
  json.begin_object("process");
  json.put("version", process.version);
  json.put("state", process.state);
  json.put("standby", process.standby);
  json.put("ready", process.ready);
  json.put("in_flight_records", process.in_flight_records);
  json.put("in_flight_bytes", process.in_flight_bytes);
  json.put("events", process.events);
  json.put("reconnects", process.reconnects);
  json.begin_array("last_errors");
  for (const ProcessStatus::LastError& error : process.last_errors) {
    json.begin_object();
    json.put("time", error.time);
    json.put("level", error.level);
    json.put("text", error.text);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void put_holder(JsonWriter& json, const SlotStatus& slot) {
  if (!slot.holder) {
    json.put("holder", std::nullopt);
    return;
  }
  json.begin_object("holder");
  json.put("pid", slot.holder->pid);
  json.put("user", slot.holder->user);
  json.put("application_name", slot.holder->application_name);
  json.put("client_address", slot.holder->client_address);
  json.end_object();
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
  JsonWriter json;
  json.begin_object();
  json.put("verdict", to_string(report.verdict));
  json.begin_array("reasons");
  for (const std::string& reason : report.reasons) json.add(reason);
  json.end_array();
  json.put("slot", report.slot);
  json.put("publication", report.publication);
  json.put("database", report.database);
  json.put("server_version", report.server_version);
  json.put("exists", slot.exists);
  json.put("active", slot.active);
  put_holder(json, slot);
  json.put("lag_bytes", slot.lag_bytes);
  json.put("retained_wal_bytes", slot.retained_bytes);
  json.put("wal_status", slot.wal_status);
  json.put("invalidation_reason", slot.invalidation_reason);
  json.put("safe_wal_bytes", slot.safe_wal_size);
  json.put("confirmed_flush_lsn", text_of(slot.confirmed_flush_lsn));
  json.put("restart_lsn", text_of(slot.restart_lsn));
  json.put("current_lsn", text_of(slot.current_lsn));
  put_process(json, report);
  json.end_object();
  return json.text() + '\n';
}

}  // namespace walpost
