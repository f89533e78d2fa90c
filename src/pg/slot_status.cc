#include "slot_status.h"

#include <fmt/format.h>

#include <algorithm>

#include "quoting.h"

namespace walpost {
namespace {

// One row, whether the slot exists or not. to_jsonb() reads columns of later versions as NULL on
// earlier ones; functions that are refused in recovery stand in a CASE.
constexpr std::string_view kSlotSql = R"(
SELECT s.slot_name IS NOT NULL AS slot_exists, w.in_recovery, s.active, s.active_pid,
       a.usename AS holder_user, a.application_name AS holder_application,
       a.client_addr AS holder_address, w.current_lsn, s.confirmed_flush_lsn, s.restart_lsn,
       pg_catalog.pg_wal_lsn_diff(w.current_lsn, s.confirmed_flush_lsn) AS lag_bytes,
       pg_catalog.pg_wal_lsn_diff(w.current_lsn, s.restart_lsn) AS retained_bytes,
       s.wal_status, s.safe_wal_size,
       pg_catalog.to_jsonb(s)->>'invalidation_reason' AS invalidation_reason,
       (SELECT setting FROM pg_catalog.pg_settings
         WHERE name = 'max_slot_wal_keep_size') AS max_slot_wal_keep_size_mb
  FROM (SELECT pg_catalog.pg_is_in_recovery() AS in_recovery,
               CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()
                    ELSE pg_catalog.pg_current_wal_lsn() END AS current_lsn) w
       LEFT JOIN pg_catalog.pg_replication_slots s ON s.slot_name::text = {slot}
       LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = s.active_pid)";

// The ordinals of wanted tables whose inserts the publication sends, under their names or a
// partition's.
constexpr std::string_view kTablesSql = R"(
SELECT DISTINCT w.ordinal
  FROM (VALUES {wanted}) w(ordinal, schema, name)
       JOIN pg_catalog.pg_namespace n ON n.nspname::text = w.schema
       JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname::text = w.name
       JOIN pg_catalog.pg_publication_tables p ON p.pubname::text = {publication}
       JOIN pg_catalog.pg_publication o ON o.pubname = p.pubname AND o.pubinsert
       JOIN pg_catalog.pg_namespace pn ON pn.nspname = p.schemaname
       JOIN pg_catalog.pg_class pc ON pc.relnamespace = pn.oid AND pc.relname = p.tablename
 WHERE pc.oid = c.oid OR pc.relispartition AND pg_catalog.pg_partition_root(pc.oid) = c.oid)";

// Below zero where two readings of one statement overtook each other.
std::optional<std::int64_t> distance(const ResultTable& result, std::string_view column) {
  const auto bytes = result.number(0, column);
  return bytes ? std::optional(std::max<std::int64_t>(*bytes, 0)) : std::nullopt;
}

}  // namespace

std::string slot_status_sql(const Wanted& wanted, bool with_tables) {
  auto sql = fmt::format(kSlotSql, fmt::arg("slot", quote_literal(wanted.slot)));
  if (!with_tables) return sql;
  return sql + ';' +
         fmt::format(kTablesSql, fmt::arg("wanted", values_list(wanted.tables)),
                     fmt::arg("publication", quote_literal(wanted.publication)));
}

SlotStatus parse_slot_status(std::span<const ResultTable> results, const Wanted& wanted) {
  const auto& row = result_at(results, 0);
  SlotStatus status;
  status.exists = row.flag(0, "slot_exists");
  status.in_recovery = row.flag(0, "in_recovery");
  status.active = row.flag(0, "active");
  status.holder = read_slot_holder(row);
  status.current_lsn = row.lsn(0, "current_lsn");
  status.confirmed_flush_lsn = row.lsn(0, "confirmed_flush_lsn");
  status.restart_lsn = row.lsn(0, "restart_lsn");
  status.lag_bytes = distance(row, "lag_bytes");
  status.retained_bytes = distance(row, "retained_bytes");
  status.wal_status = row.text(0, "wal_status");
  status.safe_wal_size = row.number(0, "safe_wal_size");
  status.invalidation_reason = row.text(0, "invalidation_reason");
  status.max_slot_wal_keep_size_mb = row.number(0, "max_slot_wal_keep_size_mb");
  if (results.size() == 2) {
    std::vector<bool> published(wanted.tables.size());
    for (std::size_t i = 0; i < results[1].rows.size(); ++i) {
      published[ordinal_at(results[1], i, "ordinal", published.size())] = true;
    }
    status.unpublished_tables.emplace();
    for (std::size_t i = 0; i < published.size(); ++i) {
      if (!published[i]) status.unpublished_tables->push_back(wanted.tables[i]);
    }
  }
  return status;
}

}  // namespace walpost
