// A record that Kafka refuses for good: nothing after it is on its partition, and once the topic is
// mended everything arrives in order.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database.h"
#include "kafka_broker.h"
#include "kafka_consumer.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

using ::testing::HasSubstr;

constexpr int kRefused = 6;

class RefusedRecordTest : public ::testing::Test {
 protected:
  RefusedRecordTest()
      : server_(PostgresServer::shared(15)),
        kafka_(KafkaBroker::shared()),
        name_(server_.create_database()),
        topic_(name_ + ".order"),
        database_(server_.conninfo(name_)) {
    kafka_.create_topic(topic_, 1, {{"max.message.bytes", "100000"}});
    database_.exec(
        "CREATE TABLE outbox (id int PRIMARY KEY, aggregatetype text, aggregateid text,"
        " payload text)");
    database_.exec("CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish = 'insert')");
    database_.exec("SELECT pg_create_logical_replication_slot('" + name_ + "', 'pgoutput')");
  }

  ~RefusedRecordTest() override {
    database_.exec("SELECT pg_drop_replication_slot('" + name_ + "')");
  }

  // Rows 1 to 5 of one key; the third is too large for the topic.
  void insert(int id) {
    database_.query("INSERT INTO outbox VALUES ($1, 'order', 'o-1', repeat('x', $2::int))",
                    {std::to_string(id), id == 3 ? "200000" : "1000"});
  }

  [[nodiscard]] WalpostResult run_to_end(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"run",
                                       "--dbname",
                                       server_.conninfo(name_),
                                       "--slot",
                                       name_,
                                       "--brokers",
                                       kafka_.bootstrap(),
                                       "--route-topic-replacement",
                                       name_ + ".${routedByValue}",
                                       "--no-http",
                                       "--endpos",
                                       "now"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_walpost(arguments);
  }

  // The ids on the topic, repeats removed, first occurrence first.
  [[nodiscard]] std::vector<std::string> delivered_ids() const {
    std::vector<std::string> ids;
    for (const auto& record : read_topics(kafka_.bootstrap(), {topic_})) {
      const auto id = record.header("id").value();
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    return ids;
  }

  void expect_stopped_at_the_third(const WalpostResult& result) {
    EXPECT_EQ(result.exit_code, kRefused);
    EXPECT_THAT(result.stderr_text, HasSubstr(topic_));
    EXPECT_THAT(result.stderr_text, HasSubstr("event id 3"));
    EXPECT_THAT(result.stderr_text, HasSubstr("max.message.bytes"));
    EXPECT_EQ(delivered_ids(), (std::vector<std::string>{"1", "2"}));
  }

  void expect_all_after_mending() {
    kafka_.set_topic_configs(topic_, {{"max.message.bytes", "1000000"}});
    const auto result = run_to_end();
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
    EXPECT_EQ(delivered_ids(), (std::vector<std::string>{"1", "2", "3", "4", "5"}));
  }

  PostgresServer& server_;
  KafkaBroker& kafka_;
  std::string name_;
  std::string topic_;
  Database database_;
};

TEST_F(RefusedRecordTest, InTheMiddleOfOneTransaction) {
  database_.exec("BEGIN");
  for (int id = 1; id <= 5; ++id) insert(id);
  database_.exec("COMMIT");
  expect_stopped_at_the_third(run_to_end());
  expect_all_after_mending();
}

TEST_F(RefusedRecordTest, AcrossSeveralTransactions) {
  for (int id = 1; id <= 5; ++id) insert(id);
  expect_stopped_at_the_third(run_to_end());
  expect_all_after_mending();
}

// The client's own limit is met before anything is sent.
TEST_F(RefusedRecordTest, ByTheClientsLimit) {
  for (int id = 1; id <= 5; ++id) insert(id);
  const auto result = run_to_end({"-X", "message.max.bytes=50000"});
  EXPECT_EQ(result.exit_code, kRefused);
  EXPECT_THAT(result.stderr_text, HasSubstr("message.max.bytes"));
  EXPECT_EQ(delivered_ids(), (std::vector<std::string>{"1", "2"}));
  expect_all_after_mending();
}

}  // namespace
}  // namespace walpost::test
