#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "result_table.h"
#include "server_state.h"
#include "walpost/lsn.h"

namespace walpost {

// One reading of a slot, for `status`, /metrics and the log. Times are not here: bytes are what
// the server knows, seconds only the running process.
struct SlotStatus {
  bool exists = false;
  bool in_recovery = false;
  bool active = false;
  std::optional<SlotHolder> holder;
  std::optional<Lsn> current_lsn;  // insert position; replay position in recovery
  std::optional<Lsn> confirmed_flush_lsn;
  std::optional<Lsn> restart_lsn;
  std::optional<std::int64_t> lag_bytes;       // current - confirmed: what consumers are behind
  std::optional<std::int64_t> retained_bytes;  // current - restart: what the disk holds for us
  std::string wal_status;                      // reserved, extended, unreserved, lost
  std::optional<std::int64_t> safe_wal_size;   // NULL without max_slot_wal_keep_size
  std::string invalidation_reason;             // 17+
  std::optional<std::int64_t> max_slot_wal_keep_size_mb;  // -1: no limit
  // Of the wanted tables, those whose inserts the publication no longer sends (table dropped or
  // made anew, publication altered). Only where it was asked for.
  std::optional<std::vector<TableName>> unpublished_tables;
};

// Two statements at most: the slot, and the tables when `with_tables`.
[[nodiscard]] std::string slot_status_sql(const Wanted& wanted, bool with_tables);
[[nodiscard]] SlotStatus parse_slot_status(std::span<const ResultTable> results,
                                           const Wanted& wanted);

}  // namespace walpost
