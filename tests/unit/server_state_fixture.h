#pragma once

#include "server_state.h"

namespace walpost {

// A server on which everything is as it should be, for tests that spoil one thing.
inline ServerState good_server() {
  ServerState state;
  state.version_num = 150020;
  state.version = "15.20";
  state.wal_level = "logical";
  state.max_replication_slots = 10;
  state.slots_used = 1;
  state.max_wal_senders = 10;
  state.wal_sender_timeout = std::chrono::seconds(60);
  state.max_slot_wal_keep_size_mb = 10240;
  state.database = "app";
  state.user = "walpost";
  state.may_replicate = true;
  state.may_create_in_database = true;
  state.current_lsn = Lsn(0x2000);
  state.flush_lsn = Lsn(0x2000);
  state.slot = SlotState{.plugin = "pgoutput",
                         .slot_type = "logical",
                         .database = "app",
                         .restart_lsn = Lsn(0xF00),
                         .confirmed_flush_lsn = Lsn(0x1000),
                         .wal_status = "reserved"};
  state.publication = PublicationState{.insert = true, .is_owner = true};
  TableState table;
  table.name = {"public", "outbox"};
  table.schema_exists = true;
  table.exists = true;
  table.kind = 'r';
  table.persistence = 'p';
  table.is_owner = true;
  table.may_select = true;
  table.published = true;
  for (const auto* name : {"id", "aggregatetype", "aggregateid", "type", "payload"}) {
    table.columns.push_back({.name = name, .type = "text", .published = true});
  }
  state.tables.push_back(table);
  state.host = "127.0.0.1";
  state.sslmode = "prefer";
  return state;
}

// The table of good_server() as if it had never been made.
inline TableState missing_table(const TableName& name) {
  TableState table;
  table.name = name;
  table.schema_exists = true;
  return table;
}

}  // namespace walpost
