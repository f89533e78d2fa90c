// The main job on one server: rows that a transaction inserted arrive as Kafka records, and the
// slot's position follows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "database.h"
#include "kafka_broker.h"
#include "kafka_consumer.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

using ::testing::ElementsAre;

class MainJobTest : public ::testing::Test {
 protected:
  MainJobTest()
      : server_(PostgresServer::shared(15)),
        kafka_(KafkaBroker::shared()),
        database_name_(server_.create_database()),
        database_(server_.conninfo(database_name_)) {
    database_.exec(
        "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL,"
        " aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb)");
  }

  ~MainJobTest() override {
    database_.exec(
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
        " WHERE database = current_database() AND NOT active");
  }

  [[nodiscard]] std::vector<std::string> run_arguments() const {
    return {"run",
            "--dbname",
            server_.conninfo(database_name_),
            "--slot",
            database_name_,
            "--brokers",
            kafka_.bootstrap(),
            "--route-topic-replacement",
            topic_prefix() + "${routedByValue}",
            "--auto-setup",
            "--no-http"};
  }
  [[nodiscard]] std::string topic_prefix() const { return database_name_ + "."; }

  void insert(const std::string& type, const std::string& key, const std::string& payload) {
    database_.query(
        "INSERT INTO outbox VALUES (gen_random_uuid(), $1, $2, 'created', $3) RETURNING id",
        {type, key, payload});
  }

  PostgresServer& server_;
  KafkaBroker& kafka_;
  std::string database_name_;
  Database database_;
};

TEST_F(MainJobTest, CommittedRowsArriveAndRolledBackRowsDoNot) {
  kafka_.create_topic(topic_prefix() + "order", 3);
  WalpostProcess walpost(run_arguments());
  walpost.wait_for_log("streaming");

  database_.exec("BEGIN");
  insert("order", "o-1", R"({"a": 1})");
  insert("order", "o-1", R"({"a": 2})");
  database_.exec("COMMIT");
  database_.exec("BEGIN");
  insert("order", "o-1", R"({"a": "rolled back"})");
  database_.exec("ROLLBACK");
  insert("order", "o-1", R"({"a": 3})");

  KafkaConsumer consumer(kafka_.bootstrap(), {topic_prefix() + "order"});
  std::vector<std::string> values;
  for (const auto& record : consumer.take(3)) {
    EXPECT_EQ(record.key, "o-1");
    EXPECT_EQ(record.headers.size(), 1U);
    EXPECT_EQ(record.headers.at(0).name, "id");
    values.push_back(record.value.value());
  }
  EXPECT_THAT(values, ElementsAre(R"({"a": 1})", R"({"a": 2})", R"({"a": 3})"));
  database_.wait_until(
      "SELECT confirmed_flush_lsn = pg_current_wal_lsn()"
      " FROM pg_replication_slots WHERE slot_name = '" +
          database_name_ + "'",
      "t");
  EXPECT_EQ(walpost.terminate(), 0);
}

TEST_F(MainJobTest, NothingIsSentTwiceAfterACleanStop) {
  kafka_.create_topic(topic_prefix() + "order", 1);
  {
    WalpostProcess walpost(run_arguments());
    walpost.wait_for_log("streaming");
    for (int i = 0; i < 100; ++i) insert("order", "o-1", std::to_string(i));
    EXPECT_EQ(walpost.terminate(), 0);
  }
  {
    WalpostProcess walpost(run_arguments());
    walpost.wait_for_log("streaming");
    insert("order", "o-1", "100");
    KafkaConsumer consumer(kafka_.bootstrap(), {topic_prefix() + "order"});
    const auto records = consumer.take(101);
    for (std::size_t i = 0; i < records.size(); ++i) EXPECT_EQ(records[i].value, std::to_string(i));
    EXPECT_EQ(walpost.terminate(), 0);
  }
  EXPECT_EQ(read_topics(kafka_.bootstrap(), {topic_prefix() + "order"}).size(), 101U);
}

}  // namespace
}  // namespace walpost::test
