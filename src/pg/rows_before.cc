#include "rows_before.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quoting.h"
#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

// A row with a key of 16 bytes takes more than this of the WAL even in a record of many rows.
constexpr std::int64_t kLeastWalBytesOfRow = 32;

// "7 rows", "4 to 7 rows", "at least 1000000 rows", "0 to more than 1000000 rows".
std::string count_text(const RowsBefore& rows) {
  if (rows.is_bounded) {
    return rows.least > 0 ? fmt::format("at least {} rows", rows.least)
                          : fmt::format("0 to more than {} rows", rows.most);
  }
  if (rows.least < rows.most) return fmt::format("{} to {} rows", rows.least, rows.most);
  return fmt::format("{} {}", rows.most, rows.most == 1 ? "row" : "rows");
}

}  // namespace

std::string rows_before_sql(const TableName& table, const std::string& slot) {
  // Certainly older is a row whose xmin is older than the slot's catalog_xmin. Other slots hold
  // that one back, so a second bound counts: as many rows as are in the table, less what the WAL
  // written since can hold. The inner LIMIT bounds what is read.
  return fmt::format(R"(
SET LOCAL lock_timeout = '1s'; SET LOCAL statement_timeout = '8s';
SELECT count(*) AS total, count(*) FILTER (WHERE older) AS older,
       (SELECT pg_catalog.pg_wal_lsn_diff(
                 CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()
                      ELSE pg_catalog.pg_current_wal_lsn() END, confirmed_flush_lsn)
          FROM pg_catalog.pg_replication_slots WHERE slot_name::text = {2}) AS wal_bytes_since
  FROM (SELECT pg_catalog.age(t.xmin) > pg_catalog.age(s.catalog_xmin) AS older
          FROM {1} t, (SELECT catalog_xmin FROM pg_catalog.pg_replication_slots
                        WHERE slot_name::text = {2}) s
         LIMIT {0} + 1) bounded)",
                     kCountedRowsLimit, to_sql(table), quote_literal(slot));
}

RowsBefore parse_rows_before(const TableName& table, const ResultTable& result) {
  const auto total = result.number(0, "total").value_or(0);
  const auto most = std::min(total, kCountedRowsLimit);
  const auto older = std::min(result.number(0, "older").value_or(0), kCountedRowsLimit);
  const auto since = std::max<std::int64_t>(result.number(0, "wal_bytes_since").value_or(0), 0);
  return {.table = table,
          .least = std::max(older, most - since / kLeastWalBytesOfRow),
          .most = most,
          .is_bounded = total > kCountedRowsLimit,
          .unknown_why = {}};
}

RowsBefore rows_uncounted(const TableName& table, std::string why) {
  RowsBefore rows;
  rows.table = table;
  rows.unknown_why = std::move(why);
  return rows;
}

RowsBefore rows_unreadable(const TableName& table) {
  return rows_uncounted(table, "this role may not read the table");
}

std::optional<std::string> rows_before_text(const RowsBefore& rows, const std::string& slot,
                                            SlotAge age) {
  const bool is_known = rows.unknown_why.empty();
  if (is_known && rows.most == 0) return std::nullopt;
  // That rows only may be older would be said, of a slot that is not new, at each start of it.
  if (is_known && rows.least == 0 && age != SlotAge::kNew) return std::nullopt;
  const auto table = to_sql(rows.table);
  const auto position = fmt::format("{}slot {}", age == SlotAge::kNew ? "" : "the position of ",
                                    quote_identifier(slot));
  std::string text;
  if (!is_known) {
    text = fmt::format("rows of {} that are older than {} are not sent", table, position);
  } else if (rows.least == 0) {
    text = fmt::format("{} of {} may be older than {}; those that are, are not sent",
                       count_text(rows), table, position);
  } else if (rows.most == 1) {
    text = fmt::format("1 row of {} is older than {} and is not sent", table, position);
  } else {
    text = fmt::format("{} of {} are older than {} and are not sent", count_text(rows), table,
                       position);
  }
  if (age == SlotAge::kUnused) {
    text += ", unless they were before its statistics were lost, which count no transaction";
  }
  if (!is_known) text += fmt::format("; how many is unknown: {}", rows.unknown_why);
  return text +
         fmt::format("; to publish them, insert them again with new ids (INSERT INTO {} SELECT …)",
                     table);
}

void log_rows_before(const RowsBefore& rows, const std::string& slot, SlotAge age, const Log& log) {
  const auto text = rows_before_text(rows, slot, age);
  if (!text) return;
  const bool is_warning = rows.least > 0 || !rows.unknown_why.empty();
  log(is_warning ? LogLevel::kWarn : LogLevel::kInfo, *text, {{"slot", slot}});
}

}  // namespace walpost
