// Rows that are older than the slot are never sent: who says so, and when.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RowsBeforeTest : public ::testing::Test {
 protected:
  explicit RowsBeforeTest(int major = 15)
      : server_(PostgresServer::shared(major)),
        name_(server_.create_database()),
        database_(server_.conninfo(name_)) {
    database_.exec(
        "CREATE TABLE outbox (id int PRIMARY KEY, aggregatetype text, aggregateid text,"
        " payload text)");
    database_.exec("CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish = 'insert')");
    insert(1, 3);
  }

  ~RowsBeforeTest() override {
    Database(server_.conninfo(name_))
        .exec(
            "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
            " WHERE database = current_database() AND NOT active");
  }

  void insert(int first, int last) {
    database_.query(
        "INSERT INTO outbox SELECT n, 'order', 'o-1', '{}'"
        " FROM generate_series($1::int, $2::int) n",
        {std::to_string(first), std::to_string(last)});
  }

  void create_slot() {
    database_.exec("SELECT pg_create_logical_replication_slot('" + name_ + "', 'pgoutput')");
  }

  [[nodiscard]] WalpostResult setup() const {
    return run_walpost({"setup", "--dbname", server_.conninfo(name_), "--slot", name_});
  }

  // Streams what there is and ends.
  [[nodiscard]] WalpostResult run(const std::string& user = "postgres",
                                  const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"run",    "--dbname",  server_.conninfo(name_, user),
                                       "--slot", name_,       "--sink",
                                       "null",   "--no-http", "--endpos",
                                       "now"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_walpost(arguments);
  }

  static void expect_said(const WalpostResult& result, const std::string& text) {
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
    EXPECT_THAT(result.stderr_text, HasSubstr(text));
  }

  PostgresServer& server_;
  std::string name_;
  Database database_;
};

TEST_F(RowsBeforeTest, SetupCountsThemForTheSlotItMakes) {
  const auto made = setup();
  expect_said(made, "3 rows of");
  expect_said(made, "are not sent");
  EXPECT_THAT(made.stderr_text, Not(HasSubstr("unless")));
  EXPECT_THAT(setup().stderr_text, Not(HasSubstr("are not sent"))) << "the slot was there already";
}

TEST_F(RowsBeforeTest, AutoSetupCountsThemForTheSlotItMakes) {
  const auto result = run("postgres", {"--auto-setup"});
  expect_said(result, "3 rows of");
  EXPECT_THAT(result.stderr_text, Not(HasSubstr("unless")));
}

TEST_F(RowsBeforeTest, StartsCountThemUntilTheSlotHasDecodedATransaction) {
  create_slot();
  expect_said(run(), "3 rows of");
  insert(4, 4);
  ASSERT_EQ(run().exit_code, 0);
  database_.wait_until(
      "SELECT total_txns > 0 FROM pg_stat_replication_slots WHERE slot_name = '" + name_ + "'",
      "t");
  EXPECT_THAT(run().stderr_text, Not(HasSubstr("are not sent")));
}

// A crash resets the statistics: rows that were sent must not be said never to have been.
TEST_F(RowsBeforeTest, AfterACrashOfTheServerTheyMayHaveBeenSent) {
  create_slot();
  insert(4, 10'000);
  ASSERT_EQ(run().exit_code, 0);
  database_.exec("CHECKPOINT");  // the position outlives the crash, the statistics do not
  server_.restart(StopMode::kImmediate);
  const auto result = run();
  expect_said(result, "are not sent, unless they were before its statistics were lost");
}

TEST_F(RowsBeforeTest, ARoleThatMayNotReadTheTableSaysSo) {
  create_slot();
  const auto role = name_ + "_reader";
  database_.exec("CREATE ROLE " + role + " LOGIN REPLICATION");
  expect_said(run(role), "how many is unknown: this role may not read the table");
  database_.exec("DROP ROLE " + role);
}

// From 16 on the server itself looks at the table when it is asked what is published.
class LockedTableTest : public RowsBeforeTest {
 protected:
  LockedTableTest() : RowsBeforeTest(14) {}
};

TEST_F(LockedTableTest, IsNotWaitedForAndTheReasonIsSaid) {
  create_slot();
  database_.exec("BEGIN");
  database_.exec("LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE");
  const auto result = run();
  database_.exec("ROLLBACK");
  expect_said(result, "how many is unknown: PostgreSQL: canceling statement due to lock timeout");
}

}  // namespace
}  // namespace walpost::test
