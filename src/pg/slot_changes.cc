#include "slot_changes.h"

#include <fmt/format.h>

#include <utility>

namespace walpost {

SlotChanges::SlotChanges(Wanted wanted, std::optional<std::uint64_t> max_slot_lag_bytes, Log log)
    : wanted_(std::move(wanted)), max_slot_lag_bytes_(max_slot_lag_bytes), log_(std::move(log)) {}

void SlotChanges::take(const SlotStatus& status) {
  take_wal_status(status.wal_status);
  if (status.lag_bytes) take_lag(*status.lag_bytes);
  take_unpublished(status.unpublished_tables.value_or(std::vector<TableName>{}));
}

void SlotChanges::take_wal_status(const std::string& wal_status) {
  if (wal_status == wal_status_) return;
  wal_status_ = wal_status;
  const bool is_bad = wal_status == "unreserved" || wal_status == "lost";
  log_(is_bad ? LogLevel::kWarn : LogLevel::kDebug, "the slot's wal_status changed",
       {{"slot", wanted_.slot}, {"wal_status", wal_status}});
}

void SlotChanges::take_lag(std::int64_t lag_bytes) {
  if (!max_slot_lag_bytes_) return;
  const bool is_beyond =
      lag_bytes > 0 && static_cast<std::uint64_t>(lag_bytes) > *max_slot_lag_bytes_;
  if (is_beyond == std::exchange(is_beyond_max_lag_, is_beyond)) return;
  if (is_beyond) {
    log_(LogLevel::kWarn,
         "the slot's lag is beyond --max-slot-lag: the server keeps that much WAL on its disk",
         {{"slot", wanted_.slot},
          {"lag_bytes", fmt::to_string(lag_bytes)},
          {"max_slot_lag_bytes", fmt::to_string(*max_slot_lag_bytes_)},
          {"hint",
           "stopping walpost frees nothing. To protect the disk at the price of the slot: ALTER "
           "SYSTEM SET max_slot_wal_keep_size = '…'; SELECT pg_reload_conf();"}});
  } else {
    log_(LogLevel::kInfo, "the slot's lag is below --max-slot-lag again",
         {{"slot", wanted_.slot}, {"lag_bytes", fmt::to_string(lag_bytes)}});
  }
}

void SlotChanges::take_unpublished(const std::vector<TableName>& tables) {
  std::string unpublished;
  for (const auto& table : tables) {
    if (!unpublished.empty()) unpublished += ", ";
    unpublished += to_sql(table);
  }
  if (unpublished == unpublished_) return;
  unpublished_ = unpublished;
  if (unpublished.empty()) {
    log_(LogLevel::kInfo, "every outbox table is sent by the publication again",
         {{"slot", wanted_.slot}, {"publication", wanted_.publication}});
  } else {
    log_(LogLevel::kWarn, "the publication does not send the rows of an outbox table",
         {{"slot", wanted_.slot},
          {"publication", wanted_.publication},
          {"table", unpublished},
          {"hint", "walpost check prints the command that mends it"}});
  }
}

}  // namespace walpost
