#include "server_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "slot_status.h"

namespace walpost {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Row = std::vector<std::optional<std::string>>;

// The results of server_state_sql() as PostgreSQL 15 gives them: no slot, no publication.
std::vector<ResultTable> bare_results() {
  return {
      {.columns = {"version_num",
                   "version",
                   "wal_level",
                   "max_replication_slots",
                   "slots_used",
                   "max_wal_senders",
                   "wal_sender_timeout_ms",
                   "max_slot_wal_keep_size_mb",
                   "database",
                   "user_name",
                   "superuser",
                   "may_replicate",
                   "may_create_in_database",
                   "in_recovery",
                   "system_identifier",
                   "current_lsn",
                   "flush_lsn",
                   "role_exists",
                   "role_login",
                   "role_replication"},
       .rows = {{"150020", "15.20", "logical", "10", "3",          "12",        "60000",
                 "-1",     "app",   "walpost", "f",  "t",          "f",         "f",
                 "77140",  "0/1A0", "0/190",   "f",  std::nullopt, std::nullopt}}},
      {.columns = {"plugin"}, .rows = {}},
      {.columns = {"puballtables"}, .rows = {}},
      {.columns = {"schema_exists", "table_exists", "relkind", "relpersistence", "root_schema",
                   "root_name", "is_owner", "may_select", "published", "leaf_published",
                   "root_published", "row_filter"},
       .rows = {{"t", "t", "r", "p", std::nullopt, std::nullopt, "f", "t", "f", "f", "f",
                 std::nullopt}}},
      {.columns = {"ordinal", "attname", "type", "atttypid", "atttypmod", "not_null",
                   "is_generated", "published"},
       .rows = {{"0", "id", "uuid", "2950", "-1", "t", "f", "f"},
                {"0", "twice", "integer", "23", "-1", "f", "t", "f"}}},
  };
}

TEST(ServerState, SettingsAndPositionsAreRead) {
  const auto state = parse_server_state(bare_results(), Wanted{});
  EXPECT_EQ(state.version_num, 150020);
  EXPECT_EQ(state.wal_sender_timeout, std::chrono::seconds(60));
  EXPECT_EQ(state.max_slot_wal_keep_size_mb, -1);
  EXPECT_EQ(state.slots_used, 3);
  EXPECT_TRUE(state.may_replicate);
  EXPECT_FALSE(state.superuser);
  EXPECT_EQ(state.current_lsn, Lsn(0x1A0));
  EXPECT_EQ(state.flush_lsn, Lsn(0x190));
  EXPECT_FALSE(state.slot);
  EXPECT_FALSE(state.publication);
}

TEST(ServerState, TablesHoldTheirColumns) {
  const auto state = parse_server_state(bare_results(), Wanted{});
  ASSERT_EQ(state.tables.size(), 1u);
  EXPECT_EQ(state.tables[0].kind, 'r');
  EXPECT_FALSE(state.tables[0].partition_root);
  ASSERT_EQ(state.tables[0].columns.size(), 2u);
  EXPECT_EQ(state.tables[0].columns[1].name, "twice");
  EXPECT_TRUE(state.tables[0].columns[1].generated);
}

TEST(ServerState, AnIdleSlotHasNoHolder) {
  auto results = bare_results();
  results[1] = {.columns = {"plugin", "slot_type", "database", "temporary", "active", "active_pid",
                            "holder_user", "holder_application", "holder_address", "restart_lsn",
                            "confirmed_flush_lsn", "wal_status", "safe_wal_size", "two_phase",
                            "failover", "synced", "invalidation_reason", "total_txns"},
                .rows = {Row{"pgoutput", "logical", "app", "f", "f", std::nullopt, std::nullopt,
                             std::nullopt, std::nullopt, "0/100", "0/138", "reserved", std::nullopt,
                             "f", std::nullopt, std::nullopt, std::nullopt, "0"}}};
  const auto idle = parse_server_state(results, Wanted{});
  ASSERT_TRUE(idle.slot);
  EXPECT_FALSE(idle.slot->holder);
  EXPECT_EQ(idle.slot->confirmed_flush_lsn, Lsn(0x138));
  EXPECT_EQ(idle.slot->total_txns, 0);
  EXPECT_FALSE(idle.slot->safe_wal_size);

  results[1].rows[0][4] = "t";
  results[1].rows[0][5] = "4711";
  const auto active = parse_server_state(results, Wanted{});
  ASSERT_TRUE(active.slot->holder);
  EXPECT_EQ(active.slot->holder->pid, 4711);
}

TEST(ServerState, NamesAreLiteralsInTheStatements) {
  Wanted wanted;
  wanted.slot = "it's";
  wanted.tables = {{"Outbox", "O'Brien"}, {"public", "b"}};
  const auto sql = server_state_sql(wanted);
  EXPECT_THAT(sql, HasSubstr("'it''s'"));
  EXPECT_THAT(sql, HasSubstr("(0, 'Outbox'::text, 'O''Brien'::text), (1, 'public'::text"));
}

const std::vector<std::string> kStatusColumns = {"slot_exists",
                                                 "in_recovery",
                                                 "active",
                                                 "active_pid",
                                                 "holder_user",
                                                 "holder_application",
                                                 "holder_address",
                                                 "current_lsn",
                                                 "confirmed_flush_lsn",
                                                 "restart_lsn",
                                                 "lag_bytes",
                                                 "retained_bytes",
                                                 "wal_status",
                                                 "safe_wal_size",
                                                 "invalidation_reason",
                                                 "max_slot_wal_keep_size_mb"};

TEST(SlotStatus, ASlotThatDoesNotExistHasNoLag) {
  Row row(kStatusColumns.size());
  row[0] = "f";
  row[7] = "0/500";
  const std::vector<ResultTable> results = {{.columns = kStatusColumns, .rows = {row}}};
  const auto status = parse_slot_status(results, Wanted{});
  EXPECT_FALSE(status.exists);
  EXPECT_FALSE(status.lag_bytes);
  EXPECT_FALSE(status.retained_bytes);
  EXPECT_FALSE(status.unpublished_tables);
}

TEST(SlotStatus, LagIsNeverBelowZeroAndTablesThatLeftAreNamed) {
  Row row(kStatusColumns.size());
  row[0] = "t";
  row[10] = "-56";
  row[11] = "112";
  const std::vector<ResultTable> results = {{.columns = kStatusColumns, .rows = {row}},
                                            {.columns = {"ordinal"}, .rows = {{"1"}}}};
  Wanted wanted;
  wanted.tables = {{"public", "a"}, {"public", "b"}};
  const auto status = parse_slot_status(results, wanted);
  EXPECT_EQ(status.lag_bytes, 0);
  EXPECT_EQ(status.retained_bytes, 112);
  ASSERT_TRUE(status.unpublished_tables);
  EXPECT_THAT(*status.unpublished_tables, ElementsAre(TableName{"public", "a"}));
}

}  // namespace
}  // namespace walpost
