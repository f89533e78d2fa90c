#include "server_state.h"

#include <fmt/format.h>

#include "quoting.h"

namespace walpost {
namespace {

// One result each, in this order.
constexpr std::size_t kServer = 0;
constexpr std::size_t kSlot = 1;
constexpr std::size_t kPublication = 2;
constexpr std::size_t kTables = 3;
constexpr std::size_t kColumns = 4;

// Columns that came with later versions are read through to_jsonb(row), which gives NULL where
// there is no such column: one text for all versions.

// Functions that are refused in recovery stand in a CASE, which does not call them there.
constexpr std::string_view kServerSql = R"(
SELECT current_setting('server_version_num') AS version_num,
       current_setting('server_version') AS version,
       current_setting('wal_level') AS wal_level,
       current_setting('max_replication_slots') AS max_replication_slots,
       (SELECT count(*) FROM pg_catalog.pg_replication_slots) AS slots_used,
       current_setting('max_wal_senders') AS max_wal_senders,
       (SELECT setting FROM pg_catalog.pg_settings
         WHERE name = 'wal_sender_timeout') AS wal_sender_timeout_ms,
       (SELECT setting FROM pg_catalog.pg_settings
         WHERE name = 'max_slot_wal_keep_size') AS max_slot_wal_keep_size_mb,
       current_database() AS database,
       current_user AS user_name,
       r.rolsuper AS superuser,
       r.rolsuper OR r.rolreplication OR EXISTS (
         SELECT 1 FROM pg_catalog.pg_roles hosted
          WHERE hosted.rolname IN ('rds_replication', 'rds_superuser', 'cloudsqlsuperuser',
                                   'azure_pg_admin')
            AND pg_catalog.pg_has_role(hosted.oid, 'MEMBER')) AS may_replicate,
       pg_catalog.has_database_privilege(current_database(), 'CREATE') AS may_create_in_database,
       pg_catalog.pg_is_in_recovery() AS in_recovery,
       CASE WHEN pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')
            THEN (SELECT system_identifier FROM pg_catalog.pg_control_system())
       END AS system_identifier,
       CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()
            ELSE pg_catalog.pg_current_wal_lsn() END AS current_lsn,
       CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()
            ELSE pg_catalog.pg_current_wal_flush_lsn() END AS flush_lsn,
       role.rolname IS NOT NULL AS role_exists,
       role.rolcanlogin AS role_login,
       role.rolreplication OR role.rolsuper AS role_replication
  FROM pg_catalog.pg_roles r LEFT JOIN pg_catalog.pg_roles role ON role.rolname::text = {role}
 WHERE r.rolname = current_user)";

constexpr std::string_view kSlotSql = R"(
SELECT s.plugin, s.slot_type, s.database, s.temporary, s.active,
       s.active_pid, a.usename AS holder_user, a.application_name AS holder_application,
       a.client_addr AS holder_address, s.restart_lsn, s.confirmed_flush_lsn, s.wal_status,
       s.safe_wal_size,
       (pg_catalog.to_jsonb(s)->>'two_phase')::boolean AS two_phase,
       (pg_catalog.to_jsonb(s)->>'failover')::boolean AS failover,
       (pg_catalog.to_jsonb(s)->>'synced')::boolean AS synced,
       pg_catalog.to_jsonb(s)->>'invalidation_reason' AS invalidation_reason,
       t.total_txns
  FROM pg_catalog.pg_replication_slots s
       LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = s.active_pid
       LEFT JOIN pg_catalog.pg_stat_replication_slots t ON t.slot_name = s.slot_name::text
 WHERE s.slot_name::text = {slot})";

constexpr std::string_view kPublicationSql = R"(
SELECT puballtables, pubinsert, pubupdate, pubdelete, pubtruncate, pubviaroot,
       pg_catalog.pg_has_role(pubowner, 'USAGE') AS is_owner
  FROM pg_catalog.pg_publication WHERE pubname::text = {publication})";

// {wanted} is a list of (ordinal, schema, name).
constexpr std::string_view kTablesSql = R"(
SELECT n.oid IS NOT NULL AS schema_exists, c.oid IS NOT NULL AS table_exists, c.relkind,
       c.relpersistence, rn.nspname AS root_schema, root.relname AS root_name,
       pg_catalog.pg_has_role(c.relowner, 'USAGE') AS is_owner,
       pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND
         pg_catalog.has_table_privilege(c.oid, 'SELECT') AS may_select,
       own.tablename IS NOT NULL AS published,
       c.relkind = 'p' AND (EXISTS (
         SELECT 1 FROM pg_catalog.pg_publication_rel pr
           JOIN pg_catalog.pg_publication pub ON pub.oid = pr.prpubid
          WHERE pr.prrelid = c.oid AND pub.pubname::text = {publication}) OR EXISTS (
         SELECT 1 FROM pg_catalog.pg_partition_tree(c.oid) part
           JOIN pg_catalog.pg_class pc ON pc.oid = part.relid
           JOIN pg_catalog.pg_namespace pn ON pn.oid = pc.relnamespace
           JOIN pg_catalog.pg_publication_tables p ON p.schemaname = pn.nspname
                AND p.tablename = pc.relname AND p.pubname::text = {publication}
          WHERE part.level > 0)) AS leaf_published,
       EXISTS (
         SELECT 1 FROM pg_catalog.pg_publication_tables p
          WHERE p.pubname::text = {publication} AND p.schemaname = rn.nspname
            AND p.tablename = root.relname) AS root_published,
       pg_catalog.to_jsonb(own)->>'rowfilter' AS row_filter
  FROM (VALUES {wanted}) w(ordinal, schema, name)
       LEFT JOIN pg_catalog.pg_namespace n ON n.nspname::text = w.schema
       LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname::text = w.name
       LEFT JOIN pg_catalog.pg_class root ON c.relispartition
            AND root.oid = pg_catalog.pg_partition_root(c.oid)
       LEFT JOIN pg_catalog.pg_namespace rn ON rn.oid = root.relnamespace
       LEFT JOIN pg_catalog.pg_publication_tables own ON own.pubname::text = {publication}
            AND own.schemaname = n.nspname AND own.tablename = c.relname
 ORDER BY w.ordinal)";

// Generated columns are listed by pg_publication_tables on 15 to 17 and not sent.
constexpr std::string_view kColumnsSql = R"(
SELECT w.ordinal, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,
       a.atttypid, a.atttypmod, a.attnotnull AS not_null, a.attgenerated <> '' AS is_generated,
       own.tablename IS NOT NULL
         AND (a.attgenerated = '' OR current_setting('server_version_num')::int >= 180000)
         AND (pg_catalog.to_jsonb(own)->'attnames' IS NULL
              OR pg_catalog.jsonb_exists(pg_catalog.to_jsonb(own)->'attnames', a.attname::text))
       AS published
  FROM (VALUES {wanted}) w(ordinal, schema, name)
       JOIN pg_catalog.pg_namespace n ON n.nspname::text = w.schema
       JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname::text = w.name
       JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
            AND a.attnum > 0 AND NOT a.attisdropped
       LEFT JOIN pg_catalog.pg_publication_tables own ON own.pubname::text = {publication}
            AND own.schemaname = n.nspname AND own.tablename = c.relname
 ORDER BY w.ordinal, a.attnum)";

void read_server(ServerState& state, const ResultTable& result) {
  const auto number = [&](std::string_view column) { return result.number(0, column).value_or(0); };
  state.version_num = static_cast<int>(number("version_num"));
  if (state.version_num <= 0) throw odd_answer("version_num is not a version");
  state.version = result.text(0, "version");
  state.wal_level = result.text(0, "wal_level");
  state.max_replication_slots = number("max_replication_slots");
  state.slots_used = number("slots_used");
  state.max_wal_senders = number("max_wal_senders");
  state.wal_sender_timeout = std::chrono::milliseconds(number("wal_sender_timeout_ms"));
  state.max_slot_wal_keep_size_mb = number("max_slot_wal_keep_size_mb");
  state.database = result.text(0, "database");
  state.user = result.text(0, "user_name");
  state.superuser = result.flag(0, "superuser");
  state.may_replicate = result.flag(0, "may_replicate");
  state.may_create_in_database = result.flag(0, "may_create_in_database");
  state.in_recovery = result.flag(0, "in_recovery");
  state.system_identifier = result.text(0, "system_identifier");
  state.current_lsn = result.lsn(0, "current_lsn");
  state.flush_lsn = result.lsn(0, "flush_lsn");
  state.role = {.exists = result.flag(0, "role_exists"),
                .login = result.flag(0, "role_login"),
                .replication = result.flag(0, "role_replication")};
}

SlotState read_slot(const ResultTable& result) {
  SlotState slot;
  slot.plugin = result.text(0, "plugin");
  slot.slot_type = result.text(0, "slot_type");
  slot.database = result.text(0, "database");
  slot.temporary = result.flag(0, "temporary");
  slot.two_phase = result.flag(0, "two_phase");
  slot.failover = result.flag(0, "failover");
  slot.synced = result.flag(0, "synced");
  slot.holder = read_slot_holder(result);
  slot.restart_lsn = result.lsn(0, "restart_lsn");
  slot.confirmed_flush_lsn = result.lsn(0, "confirmed_flush_lsn");
  slot.wal_status = result.text(0, "wal_status");
  slot.safe_wal_size = result.number(0, "safe_wal_size");
  slot.invalidation_reason = result.text(0, "invalidation_reason");
  slot.total_txns = result.number(0, "total_txns");
  return slot;
}

PublicationState read_publication(const ResultTable& result) {
  return {.all_tables = result.flag(0, "puballtables"),
          .insert = result.flag(0, "pubinsert"),
          .update = result.flag(0, "pubupdate"),
          .remove = result.flag(0, "pubdelete"),
          .truncate = result.flag(0, "pubtruncate"),
          .via_partition_root = result.flag(0, "pubviaroot"),
          .is_owner = result.flag(0, "is_owner")};
}

TableState read_table(const ResultTable& result, std::size_t row, const TableName& name) {
  TableState table;
  table.name = name;
  table.schema_exists = result.flag(row, "schema_exists");
  table.exists = result.flag(row, "table_exists");
  const auto first = [](const std::string& text) { return text.empty() ? '\0' : text[0]; };
  table.kind = first(result.text(row, "relkind"));
  table.persistence = first(result.text(row, "relpersistence"));
  if (result.at(row, "root_name")) {
    table.partition_root =
        TableName{result.text(row, "root_schema"), result.text(row, "root_name")};
  }
  table.is_owner = result.flag(row, "is_owner");
  table.may_select = result.flag(row, "may_select");
  table.published = result.flag(row, "published");
  table.leaf_published = result.flag(row, "leaf_published");
  table.root_published = result.flag(row, "root_published");
  table.row_filter = result.text(row, "row_filter");
  return table;
}

}  // namespace

std::string SlotHolder::to_string() const {
  std::string more;
  const auto add = [&](std::string_view label, const std::string& value) {
    if (!value.empty()) more += fmt::format("{}{} {}", more.empty() ? "" : ", ", label, value);
  };
  add("application", application_name);
  add("user", user);
  add("from", client_address);
  return more.empty() ? fmt::format("PID {}", pid) : fmt::format("PID {} ({})", pid, more);
}

std::optional<SlotHolder> read_slot_holder(const ResultTable& result) {
  if (!result.flag(0, "active")) return std::nullopt;
  return SlotHolder{.pid = result.number(0, "active_pid").value_or(0),
                    .user = result.text(0, "holder_user"),
                    .application_name = result.text(0, "holder_application"),
                    .client_address = result.text(0, "holder_address")};
}

std::string values_list(std::span<const TableName> tables) {
  if (tables.empty()) return "(0, NULL::text, NULL::text)";
  std::string list;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    list += fmt::format("{}({}, {}::text, {}::text)", i == 0 ? "" : ", ", i,
                        quote_literal(tables[i].nspname), quote_literal(tables[i].relname));
  }
  return list;
}

std::string server_state_sql(const Wanted& wanted) {
  const auto tables = values_list(wanted.tables);
  const auto publication = quote_literal(wanted.publication);
  std::string sql = fmt::format(kServerSql, fmt::arg("role", quote_literal(wanted.role)));
  sql += ';' + fmt::format(kSlotSql, fmt::arg("slot", quote_literal(wanted.slot)));
  sql += ';' + fmt::format(kPublicationSql, fmt::arg("publication", publication));
  for (const auto text : {kTablesSql, kColumnsSql}) {
    sql += ';' + fmt::format(fmt::runtime(text), fmt::arg("wanted", tables),
                             fmt::arg("publication", publication));
  }
  return sql;
}

ServerState parse_server_state(std::span<const ResultTable> results, const Wanted& wanted) {
  const auto& columns = result_at(results, kColumns);  // the last: all are there
  ServerState state;
  read_server(state, results[kServer]);
  if (!results[kSlot].rows.empty()) state.slot = read_slot(results[kSlot]);
  if (!results[kPublication].rows.empty()) {
    state.publication = read_publication(results[kPublication]);
  }
  for (std::size_t i = 0; i < wanted.tables.size(); ++i) {
    state.tables.push_back(read_table(results[kTables], i, wanted.tables[i]));
  }
  for (std::size_t row = 0; row < columns.rows.size(); ++row) {
    const auto table = ordinal_at(columns, row, "ordinal", state.tables.size());
    state.tables[table].columns.push_back(
        {.name = columns.text(row, "attname"),
         .type = columns.text(row, "type"),
         .type_oid = Oid{static_cast<std::uint32_t>(columns.number(row, "atttypid").value_or(0))},
         .type_modifier = static_cast<std::int32_t>(columns.number(row, "atttypmod").value_or(-1)),
         .not_null = columns.flag(row, "not_null"),
         .generated = columns.flag(row, "is_generated"),
         .published = columns.flag(row, "published")});
  }
  return state;
}

}  // namespace walpost
