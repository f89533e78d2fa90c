#include "setup_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server_state_fixture.h"

namespace walpost {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SetupPlanTest : public ::testing::Test {
 protected:
  std::vector<std::string> statements(const SetupOptions& options = {}) {
    std::vector<std::string> sql;
    for (const auto& step : plan_setup(state_, wanted_, options).steps) sql.push_back(step.sql);
    return sql;
  }
  std::vector<std::string> obstacles(const SetupOptions& options = {}) {
    std::vector<std::string> what;
    for (const auto& finding : plan_setup(state_, wanted_, options).obstacles) {
      what.push_back(finding.what);
    }
    return what;
  }
  void remove_everything() {
    state_.slot.reset();
    state_.publication.reset();
    state_.tables = {missing_table({"public", "outbox"})};
  }

  ServerState state_ = good_server();
  Wanted wanted_;
};

TEST_F(SetupPlanTest, NothingIsDoneWhereEverythingIsThere) {
  EXPECT_THAT(statements(), IsEmpty());
  EXPECT_THAT(obstacles(), IsEmpty());
}

TEST_F(SetupPlanTest, TableThenPublicationThenSlot) {
  remove_everything();
  EXPECT_THAT(
      statements({.create_table = true}),
      ElementsAre(R"(CREATE TABLE "public"."outbox" ("id" uuid NOT NULL PRIMARY KEY, )"
                  R"("aggregatetype" varchar(255) NOT NULL, "aggregateid" varchar(255) NOT NULL, )"
                  R"("type" varchar(255) NOT NULL, "payload" jsonb))",
                  R"(CREATE PUBLICATION "walpost" FOR TABLE "public"."outbox" )"
                  "WITH (publish = 'insert')",
                  "SELECT pg_catalog.pg_create_logical_replication_slot('walpost', 'pgoutput')"));
  EXPECT_EQ(plan_setup(state_, wanted_, {.create_table = true}).steps.back().kind, StepKind::kSlot);
}

TEST_F(SetupPlanTest, AMissingTableIsAnObstacleUnlessItIsToBeMade) {
  remove_everything();
  EXPECT_THAT(obstacles(), ElementsAre(R"(table "public"."outbox" does not exist)"));
  EXPECT_THAT(obstacles({.create_table = true}), IsEmpty());
}

TEST_F(SetupPlanTest, AMissingSchemaIsMadeFirst) {
  remove_everything();
  state_.tables.front().name = {"Outbox", "DomainEvents"};
  state_.tables.front().schema_exists = false;
  EXPECT_EQ(statements({.create_table = true}).front(), R"(CREATE SCHEMA "Outbox")");
}

TEST_F(SetupPlanTest, NamesAreQuoted) {
  state_.slot.reset();
  state_.publication.reset();
  wanted_.publication = R"(My,"Pub")";
  EXPECT_THAT(statements().front(), HasSubstr(R"(CREATE PUBLICATION "My,""Pub""" FOR)"));
}

TEST_F(SetupPlanTest, APartitionedTableIsPublishedByItsRoot) {
  state_.publication.reset();
  state_.tables.front().kind = 'p';
  EXPECT_THAT(statements(), ElementsAre(HasSubstr("publish_via_partition_root = true")));
}

TEST_F(SetupPlanTest, ATableThatIsMissingInThePublicationIsAdded) {
  state_.tables.front().published = false;
  EXPECT_THAT(statements(),
              ElementsAre(R"(ALTER PUBLICATION "walpost" ADD TABLE "public"."outbox")"));
}

TEST_F(SetupPlanTest, WithoutPrivilegeTheExactSqlIsForTheOwner) {
  state_.publication.reset();
  state_.may_create_in_database = false;
  const auto plan = plan_setup(state_, wanted_, {});
  ASSERT_THAT(plan.obstacles, SizeIs(1));
  EXPECT_EQ(plan.obstacles[0].what, R"(role "walpost" may not create publication "walpost")");
  EXPECT_THAT(plan.obstacles[0].mend, HasSubstr(R"(CREATE PUBLICATION "walpost" FOR TABLE)"));
}

TEST_F(SetupPlanTest, TheRoleMayStreamAndLookAtTheTableAndNothingElse) {
  wanted_.role = "relay";
  EXPECT_THAT(statements(), ElementsAre(R"(CREATE ROLE "relay" LOGIN REPLICATION)",
                                        R"(GRANT CONNECT ON DATABASE "app" TO "relay")",
                                        R"(GRANT USAGE ON SCHEMA "public" TO "relay")",
                                        R"(GRANT SELECT ON TABLE "public"."outbox" TO "relay")"));
}

TEST_F(SetupPlanTest, ARoleThatIsThereGetsWhatItLacks) {
  wanted_.role = "relay";
  state_.role = {.exists = true, .login = true, .replication = false};
  EXPECT_EQ(statements().front(), R"(ALTER ROLE "relay" LOGIN REPLICATION)");
  state_.role.replication = true;
  EXPECT_THAT(statements().front(), HasSubstr("GRANT CONNECT"));
}

TEST_F(SetupPlanTest, FailoverSlotsBeginWithSeventeen) {
  state_.slot.reset();
  EXPECT_THAT(obstacles({.slot_failover = true}), SizeIs(1));
  state_.version_num = 170000;
  EXPECT_THAT(obstacles({.slot_failover = true}), IsEmpty());
  EXPECT_THAT(statements({.slot_failover = true}),
              ElementsAre("SELECT pg_catalog.pg_create_logical_replication_slot('walpost', "
                          "'pgoutput', false, false, true)"));
}

TEST_F(SetupPlanTest, TheCommandHoldsOnlyWhatIsNotTheDefault) {
  EXPECT_EQ(setup_command(wanted_), "walpost setup");
  wanted_.slot = "s";
  wanted_.publication = "My Pub";
  wanted_.tables = {{"Outbox", "DomainEvents"}, {"public", "o"}};
  EXPECT_EQ(setup_command(wanted_, {.create_table = true}),
            "walpost setup --slot s --publication 'My Pub' --table '\"Outbox\".\"DomainEvents\"' "
            "--table '\"public\".\"o\"' --create-table");
}

TEST_F(SetupPlanTest, ASlotThatAloneIsMissingMayHaveTakenRowsWithIt) {
  EXPECT_FALSE(missing_slot_warning(state_, wanted_));
  state_.slot.reset();
  const auto warning = missing_slot_warning(state_, wanted_);
  ASSERT_TRUE(warning);
  EXPECT_THAT(warning->why, HasSubstr("are NOT sent"));
  EXPECT_THAT(warning->mend, HasSubstr(R"(INSERT INTO "public"."outbox")"));
  state_.tables[0].published = false;
  EXPECT_FALSE(missing_slot_warning(state_, wanted_));
  state_.publication.reset();
  EXPECT_FALSE(missing_slot_warning(state_, wanted_));
}

TEST_F(SetupPlanTest, ThoseTheSlotWaitsForAreNamed) {
  const ResultTable blockers{
      .columns = {"pid", "user_name", "application_name", "state", "transaction_age_s"},
      .rows = {{"17", "app", "psql", "idle in transaction", "75"},
               {"18", std::nullopt, std::nullopt, std::nullopt, std::nullopt}}};
  EXPECT_EQ(slot_blockers_text(blockers, StepKind::kSlot),
            "creating the slot waits for transactions that were open before it: PID 17 "
            "(application psql, user app), open for 75 s, idle in transaction, PID 18");
}

TEST_F(SetupPlanTest, TeardownDropsSlotAndPublicationAndSaysWhatIsLost) {
  const auto plan = plan_teardown(state_, wanted_);
  ASSERT_THAT(plan.steps, SizeIs(2));
  EXPECT_EQ(plan.steps[0].sql, "SELECT pg_catalog.pg_drop_replication_slot('walpost')");
  EXPECT_EQ(plan.steps[1].sql, R"(DROP PUBLICATION "walpost")");
  ASSERT_THAT(plan.losses, SizeIs(2));
  EXPECT_THAT(plan.losses[0], HasSubstr("everything committed after 0/1000"));
  EXPECT_THAT(plan.losses[0], HasSubstr("4096 bytes"));
}

TEST_F(SetupPlanTest, TeardownOfASlotInUseIsRefused) {
  state_.slot->holder = SlotHolder{.pid = 4711};
  EXPECT_THAT(plan_teardown(state_, wanted_).obstacles, SizeIs(1));
}

TEST_F(SetupPlanTest, TeardownOfNothingIsNothing) {
  remove_everything();
  EXPECT_THAT(plan_teardown(state_, wanted_).steps, IsEmpty());
}

}  // namespace
}  // namespace walpost
