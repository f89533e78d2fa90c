#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "result_table.h"
#include "walpost/lsn.h"
#include "walpost/outbox_event.h"

namespace walpost {

// A column that an option names, or that an option's default names.
struct WantedColumn {
  std::string option;  // "--table-field-event-id"
  std::string column;
  ColumnNeed need = ColumnNeed::kValue;
  bool may_be_missing = false;
};

// What the operator asked for, as far as PostgreSQL is concerned.
struct Wanted {
  std::string slot = "walpost";
  std::string publication = "walpost";
  std::vector<TableName> tables = {{"public", "outbox"}};
  std::vector<WantedColumn> columns;  // each must be in every table
  ValueModes value_modes;             // with which a column's type is judged
  // The value of --dbname as it may be shown (connection.h: conninfo_without_secrets); empty when
  // the option was not given. Only for commands in hints.
  std::string shown_dbname;
  std::string role;  // of `setup --role`; empty: none
};

// Who is attached to a slot: pg_stat_activity of its active_pid. Fields beyond the pid are empty
// when the role may not see them.
struct SlotHolder {
  std::int64_t pid = 0;
  std::string user;
  std::string application_name;
  std::string client_address;

  // "PID 4711 (application walpost, user app, from 10.0.0.7)".
  [[nodiscard]] std::string to_string() const;
};

// Of the first row, by its columns active, active_pid, holder_user, holder_application and
// holder_address. nullopt: the slot is not active.
[[nodiscard]] std::optional<SlotHolder> read_slot_holder(const ResultTable& result);

struct SlotState {
  std::string plugin;
  std::string slot_type;  // "logical", "physical"
  std::string database;
  bool temporary = false;
  bool two_phase = false;
  bool failover = false;             // 17+
  bool synced = false;               // 17+: a copy on a standby, kept by the primary
  std::optional<SlotHolder> holder;  // set while the slot is active
  std::optional<Lsn> restart_lsn;
  std::optional<Lsn> confirmed_flush_lsn;
  std::string wal_status;  // reserved, extended, unreserved, lost
  std::optional<std::int64_t> safe_wal_size;
  std::string invalidation_reason;         // 17+
  std::optional<std::int64_t> total_txns;  // pg_stat_replication_slots: decoded so far
};

struct PublicationState {
  bool all_tables = false;
  bool insert = false;
  bool update = false;
  bool remove = false;  // pubdelete
  bool truncate = false;
  bool via_partition_root = false;
  bool is_owner = false;
};

struct ColumnState {
  std::string name;
  std::string type;  // format_type(): "character varying(255)"
  Oid type_oid;
  std::int32_t type_modifier = -1;
  bool not_null = false;
  bool generated = false;
  bool published = false;  // meaningless while the table is not published
};

struct TableState {
  TableName name;
  bool schema_exists = false;
  bool exists = false;
  char kind = '\0';                         // pg_class.relkind: r table, p partitioned, v view, …
  char persistence = '\0';                  // pg_class.relpersistence: p, u unlogged, t temporary
  std::optional<TableName> partition_root;  // the topmost table, when this is a partition
  bool is_owner = false;
  bool may_select = false;      // includes USAGE of the schema
  bool published = false;       // listed in pg_publication_tables under this very name
  bool leaf_published = false;  // a partition of it is listed instead
  bool root_published = false;  // its partition root is listed instead
  std::string row_filter;       // 15+
  std::vector<ColumnState> columns;
};

struct RoleState {
  bool exists = false;
  bool login = false;
  bool replication = false;
};

// Everything that preflight needs to know of one server, read in one round trip.
struct ServerState {
  int version_num = 0;  // 150020
  std::string version;  // "15.20 (Debian 15.20-0+deb12u1)"
  std::string wal_level;
  std::int64_t max_replication_slots = 0;
  std::int64_t slots_used = 0;
  std::int64_t max_wal_senders = 0;
  std::chrono::milliseconds wal_sender_timeout{0};  // 0: off
  std::int64_t max_slot_wal_keep_size_mb = -1;      // -1: no limit
  std::string database;
  std::string user;
  bool superuser = false;
  bool may_replicate = false;  // superuser, REPLICATION, or a hosted service's own role
  bool may_create_in_database = false;
  bool in_recovery = false;
  std::string system_identifier;   // empty when the role may not see it
  std::optional<Lsn> current_lsn;  // insert position; replay position in recovery
  std::optional<Lsn> flush_lsn;    // flushed to disk; replay position in recovery

  std::optional<SlotState> slot;
  std::optional<PublicationState> publication;
  std::vector<TableState> tables;  // one per wanted table, in that order
  RoleState role;                  // of Wanted::role

  // Of the connection, not of the server; filled in by whoever read the state. Empty: unknown.
  std::string host;
  std::string sslmode;
};

// "(0, 'public'::text, 'outbox'::text), …" for VALUES: ordinal, schema, name.
[[nodiscard]] std::string values_list(std::span<const TableName> tables);

// The statements (one string for the simple protocol, several results) that read it all. They run
// on a replication=database connection as on an ordinary one, for a role without any privilege,
// in recovery, on PostgreSQL 14 to 18.
[[nodiscard]] std::string server_state_sql(const Wanted& wanted);
[[nodiscard]] ServerState parse_server_state(std::span<const ResultTable> results,
                                             const Wanted& wanted);

}  // namespace walpost
