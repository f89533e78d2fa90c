#include "findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "server_state_fixture.h"

namespace walpost {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FindingsTest : public ::testing::Test {
 protected:
  FindingsTest() {
    wanted_.columns = {{"--table-field-event-id", "id"}, {"--route-by-field", "aggregatetype"}};
  }

  // The first finding, which must have this severity; the worst come first.
  Finding first(Severity severity) {
    const auto findings = examine(state_, wanted_);
    if (findings.empty()) {
      ADD_FAILURE() << "nothing was found";
      return {};
    }
    EXPECT_EQ(findings.front().severity, severity) << findings.front().what;
    return findings.front();
  }
  Finding error() { return first(Severity::kError); }
  Finding warning() { return first(Severity::kWarning); }

  TableState& table() { return state_.tables.front(); }

  ServerState state_ = good_server();
  Wanted wanted_;
};

TEST_F(FindingsTest, NothingIsSaidOfAGoodServer) {
  EXPECT_THAT(examine(state_, wanted_), IsEmpty());
}

TEST_F(FindingsTest, MissingSlotNamesTheCommand) {
  state_.slot.reset();
  wanted_.shown_dbname = "host=db dbname=app";
  const auto finding = error();
  EXPECT_EQ(finding.what, R"(slot "walpost" does not exist)");
  EXPECT_EQ(finding.mend, "walpost setup --dbname 'host=db dbname=app'");
}

TEST_F(FindingsTest, MissingSlotWhileAllAreInUseNamesTheSetting) {
  state_.slot.reset();
  state_.slots_used = 10;
  const auto findings = examine(state_, wanted_);
  ASSERT_GE(findings.size(), 2u);
  EXPECT_EQ(findings[1].what, "all 10 replication slots are in use (max_replication_slots)");
  EXPECT_THAT(findings[1].mend, HasSubstr("restart the server"));
}

TEST_F(FindingsTest, MissingPublicationNamesTheCommand) {
  state_.publication.reset();
  table().published = false;
  wanted_.publication = "My,Pub-1";
  const auto finding = error();
  EXPECT_EQ(finding.what, R"(publication "My,Pub-1" does not exist)");
  EXPECT_EQ(finding.mend, "walpost setup --publication My,Pub-1");
}

TEST_F(FindingsTest, MissingTableComesFirstAndTheCommandMakesIt) {
  state_.tables = {missing_table({"public", "outbox"})};
  state_.publication.reset();
  state_.slot.reset();
  const auto finding = error();
  EXPECT_EQ(finding.what, R"(table "public"."outbox" does not exist)");
  EXPECT_EQ(finding.mend, "walpost setup --create-table");
}

TEST_F(FindingsTest, MissingSchemaIsNamed) {
  state_.tables = {missing_table({"events", "outbox"})};
  state_.tables.front().schema_exists = false;
  EXPECT_EQ(error().why, R"(there is no schema "events")");
}

TEST_F(FindingsTest, WalLevelNeedsARestart) {
  state_.wal_level = "replica";
  const auto finding = error();
  EXPECT_EQ(finding.what, "wal_level is replica, logical is needed");
  EXPECT_EQ(finding.mend, "ALTER SYSTEM SET wal_level = 'logical';\nthen restart the server");
}

TEST_F(FindingsTest, MaxWalSendersOfZeroNeedsARestart) {
  state_.max_wal_senders = 0;
  EXPECT_THAT(error().mend, HasSubstr("restart the server"));
}

TEST_F(FindingsTest, ARoleWithoutReplicationIsRefusedWithTheSql) {
  state_.may_replicate = false;
  EXPECT_EQ(error().mend, R"(ALTER ROLE "walpost" REPLICATION;)");
}

TEST_F(FindingsTest, ASlotOfAnotherPluginIsRefused) {
  state_.slot->plugin = "wal2json";
  EXPECT_EQ(error().what, R"(slot "walpost" uses the plugin wal2json, pgoutput is needed)");
}

TEST_F(FindingsTest, ASlotOfAnotherDatabaseIsRefused) {
  state_.slot->database = "other";
  EXPECT_EQ(error().what, R"(slot "walpost" belongs to database "other", this is "app")");
}

TEST_F(FindingsTest, APhysicalSlotIsRefused) {
  state_.slot->slot_type = "physical";
  state_.slot->database.clear();
  EXPECT_EQ(error().what, R"(slot "walpost" is physical, a logical one is needed)");
}

TEST_F(FindingsTest, ALostSlotSaysFromWhereRowsAreMissing) {
  state_.slot->wal_status = "lost";
  const auto finding = error();
  EXPECT_EQ(finding.what, R"(slot "walpost" is lost (wal_status lost))");
  EXPECT_THAT(finding.why, HasSubstr("after 0/1000"));
  EXPECT_EQ(finding.mend, "SELECT pg_drop_replication_slot('walpost');\nwalpost setup");
}

TEST_F(FindingsTest, AnInvalidatedSlotSaysWhy) {
  state_.slot->invalidation_reason = "idle_timeout";
  EXPECT_THAT(error().what, HasSubstr("idle_timeout"));
}

TEST_F(FindingsTest, AnActiveSlotIsAWarningThatNamesItsHolder) {
  state_.slot->holder = SlotHolder{
      .pid = 4711, .user = "app", .application_name = "walpost", .client_address = "10.0.0.7"};
  EXPECT_EQ(warning().what,
            R"(slot "walpost" is active, held by PID 4711 (application walpost, user app, )"
            "from 10.0.0.7)");
}

TEST_F(FindingsTest, AHolderThatMayNotBeSeenIsAPid) {
  EXPECT_EQ(SlotHolder{.pid = 4711}.to_string(), "PID 4711");
}

TEST_F(FindingsTest, APublicationWithoutInsertIsRefused) {
  state_.publication->insert = false;
  EXPECT_EQ(error().mend, R"(ALTER PUBLICATION "walpost" SET (publish = 'insert');)");
}

TEST_F(FindingsTest, APublicationOfMoreThanInsertIsMentioned) {
  state_.publication->remove = true;
  EXPECT_EQ(first(Severity::kInfo).what, R"(publication "walpost" publishes more than INSERT)");
}

TEST_F(FindingsTest, ATableOutsideThePublicationIsRefusedWithTheSql) {
  table().published = false;
  EXPECT_EQ(error().mend, R"(ALTER PUBLICATION "walpost" ADD TABLE "public"."outbox";)");
}

TEST_F(FindingsTest, APartitionedTablePublishedByItsPartitionsIsAWarning) {
  table().kind = 'p';
  table().published = false;
  table().leaf_published = true;
  EXPECT_EQ(warning().mend,
            R"(ALTER PUBLICATION "walpost" SET (publish_via_partition_root = true);)");
}

TEST_F(FindingsTest, APartitionPublishedByItsRootIsRefusedWithTheRootsName) {
  table().published = false;
  table().root_published = true;
  table().partition_root = TableName{"public", "outbox_all"};
  EXPECT_THAT(error().mend, HasSubstr(R"(--table '"public"."outbox_all"')"));
}

TEST_F(FindingsTest, AViewAndAnUnloggedTableAreRefused) {
  table().kind = 'v';
  EXPECT_EQ(error().what, R"("public"."outbox" is no table)");
  table().kind = 'r';
  table().persistence = 'u';
  EXPECT_THAT(error().mend, HasSubstr("SET LOGGED"));
}

TEST_F(FindingsTest, AMissingColumnNamesItsOptionAndWhatThereIs) {
  wanted_.columns = {{"--route-by-field", "topic"}};
  const auto finding = error();
  EXPECT_EQ(finding.what, R"(table "public"."outbox" has no column "topic" (--route-by-field))");
  EXPECT_EQ(finding.why, R"(it has "id", "aggregatetype", "aggregateid", "type", "payload")");
}

TEST_F(FindingsTest, AGeneratedColumnIsRefusedBeforeEighteen) {
  table().columns[1].generated = true;
  table().columns[1].published = false;
  EXPECT_EQ(error().why, "before PostgreSQL 18 generated columns are not streamed");
}

TEST_F(FindingsTest, AGeneratedColumnIsFineFromEighteenOnWhenPublished) {
  state_.version_num = 180004;
  table().columns[1].generated = true;
  EXPECT_THAT(examine(state_, wanted_), IsEmpty());
  table().columns[1].published = false;
  EXPECT_THAT(error().mend, HasSubstr("publish_generated_columns = stored"));
}

TEST_F(FindingsTest, AColumnOfATypeThatItsRoleCannotTakeIsRefusedBeforeTheFirstRow) {
  wanted_.columns = {{"--route-by-field", "aggregatetype", ColumnNeed::kText}};
  table().columns[1].type_oid = Oid{20};
  table().columns[1].type = "bigint";
  EXPECT_THAT(error().what, HasSubstr("is no text: it is bigint (--route-by-field)"));
  table().columns[1].type_oid = Oid{17};
  EXPECT_THAT(error().mend, HasSubstr("--route-by-field"));
  wanted_.value_modes.binary_handling_mode = BinaryHandlingMode::kHex;
  EXPECT_THAT(examine(state_, wanted_), IsEmpty()) << "Debezium makes text of it";
}

TEST_F(FindingsTest, AColumnThatMayBeMissingIsNotMissed) {
  wanted_.columns = {{"--table-fields-additional-placement", "gone", ColumnNeed::kValue, true}};
  EXPECT_THAT(examine(state_, wanted_), IsEmpty());
}

TEST_F(FindingsTest, AColumnListThatLeavesOutAMappedColumnIsRefused) {
  table().columns[0].published = false;
  EXPECT_THAT(error().what, HasSubstr(R"(leaves out column "id")"));
}

TEST_F(FindingsTest, AColumnThatNobodyMappedMayBeMissing) {
  table().columns[4].published = false;
  EXPECT_THAT(examine(state_, wanted_), IsEmpty());
}

TEST_F(FindingsTest, ARowFilterIsAWarning) {
  table().row_filter = "(type = 'x'::text)";
  EXPECT_THAT(warning().what, HasSubstr("row filter"));
}

TEST_F(FindingsTest, WalWithoutALimitIsAWarning) {
  state_.max_slot_wal_keep_size_mb = -1;
  EXPECT_EQ(warning().what, "max_slot_wal_keep_size is -1 (no limit)");
}

TEST_F(FindingsTest, AWireBeyondLoopbackWithoutVerificationIsAWarning) {
  for (const auto* host : {"db.example", "10.0.0.1", "localhost,db.example"}) {
    state_.host = host;
    EXPECT_THAT(warning().what, HasSubstr("sslmode is prefer")) << host;
  }
  state_.sslmode = "verify-full";
  EXPECT_THAT(examine(state_, wanted_), IsEmpty());
}

TEST_F(FindingsTest, LoopbackAndSocketsNeedNoTls) {
  for (const auto* host : {"", "localhost", "127.0.0.1", "::1", "/run/postgresql"}) {
    state_.host = host;
    EXPECT_THAT(examine(state_, wanted_), IsEmpty()) << host;
  }
}

TEST_F(FindingsTest, AServerBeforeFourteenIsRefused) {
  state_.version_num = 130010;
  state_.version = "13.10";
  EXPECT_EQ(error().what, "PostgreSQL 13.10 is too old");
}

TEST_F(FindingsTest, AStandbyBeforeSixteenIsRefused) {
  state_.in_recovery = true;
  EXPECT_EQ(error().what, "this server is a standby");
  state_.version_num = 160000;
  EXPECT_EQ(warning().what, "this server is a standby");
}

TEST_F(FindingsTest, AnErrorEndsRunWithItsCommandAsHint) {
  table().published = false;
  const auto refusal = to_error(error());
  EXPECT_EQ(refusal.exit_code(), ExitCode::kPostgresSetup);
  EXPECT_FALSE(refusal.is_retryable());
  EXPECT_EQ(refusal.hint(), error().mend);
}

}  // namespace
}  // namespace walpost
