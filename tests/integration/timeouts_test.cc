// Time-outs that a database sets for its applications do not end ours.

#include <gtest/gtest.h>

#include <algorithm>

#include "database.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

class TimeoutsTest : public ::testing::TestWithParam<int> {
 protected:
  TimeoutsTest()
      : server_(PostgresServer::shared(GetParam())),
        name_(server_.create_database()),
        database_(server_.conninfo(name_)) {
    database_.exec(
        "CREATE TABLE outbox (id int PRIMARY KEY, aggregatetype text, aggregateid text,"
        " payload text DEFAULT 'none')");
    database_.exec("CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish = 'insert')");
    database_.exec("SELECT pg_create_logical_replication_slot('" + name_ + "', 'pgoutput')");
  }

  ~TimeoutsTest() override { database_.exec("SELECT pg_drop_replication_slot('" + name_ + "')"); }

  void limit(const std::string& setting) {
    database_.exec("ALTER DATABASE " + name_ + " SET " + setting);
  }

  void expect_delivered(std::ptrdiff_t rows, const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {
        "run", "--dbname", server_.conninfo(name_), "--slot", name_, "--sink", "stdout", "--endpos",
        "now", "--no-http"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto result = run_walpost(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
    EXPECT_EQ(std::ranges::count(result.stdout_text, '\n'), rows) << result.stderr_text;
  }

  PostgresServer& server_;
  std::string name_;
  Database database_;
};

TEST_P(TimeoutsTest, StatementTimeoutIsNotForTheQuestionsAboutTheCatalog) {
  database_.exec("INSERT INTO outbox VALUES (1, 'order', 'o-1', NULL)");
  limit("statement_timeout = '1ms'");
  expect_delivered(1);
}

TEST_P(TimeoutsTest, TransactionTimeoutIsNotForDecodingOne) {
  if (GetParam() >= 17) limit("transaction_timeout = '500ms'");
  database_.exec(
      "INSERT INTO outbox SELECT g, 'order', 'o-1', repeat('x', 1000)"
      " FROM generate_series(1, 20000) g");
  // One at a time, each safe on the disk: far slower than the time-out allows.
  expect_delivered(20'000, {"--max-in-flight-records", "1"});
}

INSTANTIATE_TEST_SUITE_P(Majors, TimeoutsTest, ::testing::Values(14, 18));

}  // namespace
}  // namespace walpost::test
