#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "result_table.h"
#include "walpost/log.h"
#include "walpost/outbox_event.h"

namespace walpost {

// Rows of one table that are older than the position of a slot: the slot never sends them.
struct RowsBefore {
  TableName table;
  std::int64_t least = 0;
  std::int64_t most = 0;
  bool is_bounded = false;  // there are more rows than were counted
  std::string unknown_why;  // why nothing could be counted; empty: it was
};

// How old the slot is whose rows are counted.
enum class SlotAge {
  kNew,  // made by this process: what is older was never sent
  // Its statistics count no transaction: it is new, or a crash of the server has reset them. The
  // server keeps nothing that tells the two apart.
  kUnused,
};

// What bounds the count: a second or so of sequential scan.
inline constexpr std::int64_t kCountedRowsLimit = 1'000'000;

// One string of several statements; the last result is the count. It gives up after 8 s, or behind
// a lock after 1 s. The server keeps no record of what was there at a position, so the answer is a
// range: exact right after the slot was made, wider the more was written since.
[[nodiscard]] std::string rows_before_sql(const TableName& table, const std::string& slot);
[[nodiscard]] RowsBefore parse_rows_before(const TableName& table, const ResultTable& result);
// A count that there is not, and why.
[[nodiscard]] RowsBefore rows_uncounted(const TableName& table, std::string why);
// The same where the role lacks SELECT.
[[nodiscard]] RowsBefore rows_unreadable(const TableName& table);

// nullopt when there is nothing to say: no row is older, or of a slot that only may be new none is
// for certain.
[[nodiscard]] std::optional<std::string> rows_before_text(const RowsBefore& rows,
                                                          const std::string& slot, SlotAge age);
// Says it: a warning when rows are older for certain or nobody knows, else information.
void log_rows_before(const RowsBefore& rows, const std::string& slot, SlotAge age, const Log& log);

}  // namespace walpost
