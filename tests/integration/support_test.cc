// The test support itself, against real servers: what the other tests stand on.
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

using ::testing::HasSubstr;

class PostgresSupport : public ::testing::TestWithParam<int> {
 protected:
  PostgresServer& server_ = PostgresServer::shared(GetParam());
};

INSTANTIATE_TEST_SUITE_P(AllMajors, PostgresSupport, ::testing::ValuesIn(kPostgresMajors));

TEST_P(PostgresSupport, ServerIsOfThisMajorAndReadyForLogicalReplication) {
  Database db(server_.conninfo(server_.create_database()));
  const std::string version = db.value("SHOW server_version_num");
  EXPECT_EQ(std::stoi(version) / 10000, GetParam());
  EXPECT_EQ(db.value("SHOW wal_level"), "logical");
  EXPECT_EQ(db.value("SELECT slot_name FROM pg_create_logical_replication_slot('s', 'pgoutput')"),
            "s");
  db.exec("SELECT pg_drop_replication_slot('s')");
}

TEST_P(PostgresSupport, DataOutlivesACrash) {
  const std::string database = server_.create_database();
  Database(server_.conninfo(database)).exec("CREATE TABLE t AS SELECT 7 AS n");
  server_.kill();
  EXPECT_THROW(Database(server_.conninfo(database)), std::runtime_error);
  server_.start();
  EXPECT_EQ(Database(server_.socket_conninfo(database)).value("SELECT n FROM t"), "7");
}

TEST(DatabaseSupport, ReturnsRowsWithNullsAndRefusesFailedStatements) {
  Database db(PostgresServer::shared(15).conninfo());
  EXPECT_EQ(db.query("SELECT $1::int + 1, NULL, $2", {"41", "a'b"}),
            (std::vector<Row>{{"42", std::nullopt, "a'b"}}));
  EXPECT_EQ(db.value("SELECT " + db.quote_literal("it's")), "it's");
  EXPECT_THROW(db.exec("SELECT 1/0"), std::runtime_error);
  EXPECT_THROW(db.wait_until("SELECT 1", "2", std::chrono::milliseconds(50)), std::runtime_error);
}

TEST(DatabaseSupport, CopiesRowsIn) {
  Database db(PostgresServer::shared(15).conninfo(PostgresServer::shared(15).create_database()));
  db.exec("CREATE TABLE t (n int)");
  db.copy_in("COPY t FROM STDIN", "1\n2\n");
  EXPECT_EQ(db.value("SELECT sum(n) FROM t"), "3");
  EXPECT_THROW(db.copy_in("COPY t FROM STDIN", "x\n"), std::runtime_error);
}

rd_kafka_vu_t argument(rd_kafka_vtype_t type) {
  rd_kafka_vu_t result{};
  result.vtype = type;
  return result;
}

rd_kafka_vu_t memory(rd_kafka_vtype_t type, const std::optional<std::string>& bytes) {
  rd_kafka_vu_t result = argument(type);
  if (bytes) result.u.mem = {const_cast<char*>(bytes->data()), bytes->size()};
  return result;
}

rd_kafka_vu_t header_argument(const KafkaHeader& header) {
  rd_kafka_vu_t result = argument(RD_KAFKA_VTYPE_HEADER);
  result.u.header = {header.name.c_str(), header.value ? header.value->c_str() : nullptr, -1};
  return result;
}

// Produces one record after another and waits for each.
void produce(const std::string& bootstrap, const std::string& topic,
             const std::vector<KafkaRecord>& records) {
  const RdKafka producer =
      make_client(RD_KAFKA_PRODUCER, {{"bootstrap.servers", bootstrap}, {"linger.ms", "0"}});
  for (const KafkaRecord& record : records) {
    std::vector<rd_kafka_vu_t> arguments{
        argument(RD_KAFKA_VTYPE_TOPIC),         argument(RD_KAFKA_VTYPE_PARTITION),
        argument(RD_KAFKA_VTYPE_MSGFLAGS),      argument(RD_KAFKA_VTYPE_TIMESTAMP),
        memory(RD_KAFKA_VTYPE_KEY, record.key), memory(RD_KAFKA_VTYPE_VALUE, record.value)};
    arguments[0].u.cstr = topic.c_str();
    arguments[1].u.i32 = record.partition;
    arguments[2].u.i = RD_KAFKA_MSG_F_COPY;
    arguments[3].u.i64 = record.timestamp.time_since_epoch().count();
    for (const KafkaHeader& header : record.headers) arguments.push_back(header_argument(header));
    ASSERT_EQ(rd_kafka_produceva(producer.get(), arguments.data(), arguments.size()), nullptr);
    ASSERT_EQ(rd_kafka_flush(producer.get(), 30'000), RD_KAFKA_RESP_ERR_NO_ERROR);
  }
}

KafkaRecord record(std::optional<std::string> value, std::int32_t partition = 0) {
  return {.partition = partition,
          .value = std::move(value),
          .timestamp = std::chrono::sys_time<std::chrono::milliseconds>(
              std::chrono::milliseconds(1'700'000'000'000))};
}

TEST(KafkaSupport, ReadsBackWhatWasProduced) {
  KafkaBroker& broker = KafkaBroker::shared();
  broker.create_topic("read-back", 2);
  KafkaRecord full = record("value", 1);
  full.key = "key";
  full.headers = {{"id", "1"}, {"empty", ""}, {"null", std::nullopt}};
  produce(broker.bootstrap(), "read-back", {record(std::nullopt), full});

  KafkaConsumer consumer(broker.bootstrap(), {"read-back"});
  auto records = consumer.take_to_end();
  ASSERT_EQ(records.size(), 2U);
  std::ranges::sort(records, {}, &KafkaRecord::partition);
  EXPECT_EQ(records[0].value, std::nullopt);
  EXPECT_EQ(records[0].key, std::nullopt);
  EXPECT_EQ(records[1].value, "value");
  EXPECT_EQ(records[1].key, "key");
  EXPECT_EQ(records[1].offset, 0);
  EXPECT_EQ(records[1].headers, full.headers);
  EXPECT_EQ(records[1].timestamp, full.timestamp);

  produce(broker.bootstrap(), "read-back", {record("later")});
  EXPECT_EQ(consumer.take(1).at(0).value, "later");
  EXPECT_EQ(consumer.next(std::chrono::milliseconds(50)), std::nullopt);
}

TEST(KafkaSupport, KeepsItsDataAndAddressAcrossKill) {
  KafkaBroker& broker = KafkaBroker::shared();
  broker.create_topic("kept", 1);
  produce(broker.bootstrap(), "kept", {record("before")});
  broker.kill();
  broker.start();
  produce(broker.bootstrap(), "kept", {record("after")});
  const auto records = read_topics(broker.bootstrap(), {"kept"});
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].value, "after");
}

TEST(KafkaSupport, TopicConfigsCanBeChangedAndTopicsDeleted) {
  KafkaBroker& broker = KafkaBroker::shared();
  broker.create_topic("small", 1, {{"max.message.bytes", "2000"}});
  const std::string large(10'000, 'x');
  produce(broker.bootstrap(), "small", {record(large)});
  EXPECT_TRUE(read_topics(broker.bootstrap(), {"small"}).empty());
  broker.set_topic_configs("small", {{"max.message.bytes", "20000"}});
  produce(broker.bootstrap(), "small", {record(large)});
  EXPECT_EQ(read_topics(broker.bootstrap(), {"small"}).size(), 1U);
  broker.delete_topic("small");
  EXPECT_THROW(KafkaConsumer(broker.bootstrap(), {"small"}), std::runtime_error);
}

TEST(KafkaSupport, ThreeNodesSurviveTheLossOfOne) {
  KafkaBroker cluster({{"min.insync.replicas", "2"}}, 3);
  cluster.create_topic("replicated", 3);
  produce(cluster.bootstrap(), "replicated", {record("a", 0), record("b", 1), record("c", 2)});
  cluster.kill_node(1);
  produce(cluster.bootstrap(), "replicated", {record("d", 0), record("e", 1), record("f", 2)});
  cluster.start();
  EXPECT_EQ(read_topics(cluster.bootstrap(), {"replicated"}).size(), 6U);
}

TEST(WalpostSupport, CapturesOutputAndExitCode) {
  const WalpostResult result = run_walpost({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.stdout_text, HasSubstr("walpost"));
}

TEST(WalpostSupport, LogLineThatNeverComesIsReportedWithTheEndOfTheLog) {
  WalpostProcess walpost({"--version"});
  try {
    walpost.wait_for_log("no such line");
    FAIL() << "found a line that was never written";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no such line"));
  }
}

TEST(ChildProcessSupport, ReportsSignalsCpuTimeAndPeakMemory) {
  ChildProcess child({.argv = {"cat", "/dev/zero"}});
  EXPECT_TRUE(child.running());
  poll_until("the child uses the CPU", kPatience,
             [&] { return child.cpu_time() > std::chrono::milliseconds(20); });
  EXPECT_GT(child.peak_memory_bytes(), 100'000U);
  child.signal(SIGTERM);
  EXPECT_EQ(child.wait_exit(kPatience), 128 + SIGTERM);
  EXPECT_GT(child.cpu_time(), std::chrono::milliseconds(20));
  EXPECT_THROW(ChildProcess({.argv = {"/nonexistent"}}), std::runtime_error);
}

}  // namespace
}  // namespace walpost::test
