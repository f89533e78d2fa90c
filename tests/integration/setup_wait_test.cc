// Creating a slot waits for every transaction that is open: whoever waits is told for whom.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

using ::testing::HasSubstr;

class SetupWaitTest : public ::testing::TestWithParam<std::vector<std::string>> {
 protected:
  SetupWaitTest()
      : server_(PostgresServer::shared(15)),
        name_(server_.create_database()),
        database_(server_.conninfo(name_)),
        other_(server_.conninfo(name_) + " application_name=reports") {
    database_.exec(
        "CREATE TABLE outbox (id int PRIMARY KEY, aggregatetype text, aggregateid text,"
        " payload text)");
  }

  ~SetupWaitTest() override { database_.exec("SELECT pg_drop_replication_slot('" + name_ + "')"); }

  PostgresServer& server_;
  std::string name_;
  Database database_;
  Database other_;
};

TEST_P(SetupWaitTest, NamesTheTransactionsAndGoesOnAfterThem) {
  other_.exec("BEGIN");
  other_.exec("INSERT INTO outbox VALUES (1, 'order', 'o-1', '{}')");
  const auto pid = other_.value("SELECT pg_backend_pid()");
  auto arguments = GetParam();
  arguments.insert(arguments.end(), {"--dbname", server_.conninfo(name_), "--slot", name_});
  WalpostProcess walpost(arguments);
  const auto line = walpost.wait_for_log("creating the slot waits for transactions");
  EXPECT_THAT(line, HasSubstr("PID " + pid + " (application reports"));
  EXPECT_THAT(line, HasSubstr("idle in transaction"));
  EXPECT_THAT(line, HasSubstr("pg_terminate_backend"));
  other_.exec("COMMIT");
  EXPECT_EQ(walpost.wait_exit(), 0);
}

INSTANTIATE_TEST_SUITE_P(SetupAndRun, SetupWaitTest,
                         ::testing::Values(std::vector<std::string>{"setup"},
                                           std::vector<std::string>{"run", "--auto-setup", "--sink",
                                                                    "null", "--no-http", "--endpos",
                                                                    "now"}));

}  // namespace
}  // namespace walpost::test
