// One transaction larger than every limit flows through in bounded memory.

#include <gtest/gtest.h>

#include <iostream>

#include "database.h"
#include "kafka_broker.h"
#include "kafka_consumer.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

class MemoryTest : public ::testing::Test {
 protected:
  // Peak memory of a walpost that delivers one transaction of `rows` rows.
  std::size_t peak_memory_of(int rows) {
    auto& server = PostgresServer::shared(15);
    auto& kafka = KafkaBroker::shared();
    const std::string name = server.create_database();
    const std::string topic = name + ".order";
    kafka.create_topic(topic, 8);
    Database database(server.conninfo(name));
    database.exec(
        "CREATE TABLE outbox (id bigint PRIMARY KEY, aggregatetype text, aggregateid text,"
        " payload text)");
    WalpostProcess walpost({"run", "--dbname", server.conninfo(name), "--slot", name, "--brokers",
                            kafka.bootstrap(), "--route-topic-replacement",
                            name + ".${routedByValue}", "--auto-setup", "--no-http"});
    walpost.wait_for_log("streaming");
    database.exec(
        "INSERT INTO outbox SELECT n, 'order', n % 1000, repeat('x', 300)"
        " FROM generate_series(1, " +
        std::to_string(rows) + ") AS n");
    database.wait_until_confirmed(name, std::chrono::minutes(10));
    const auto peak = walpost.child().peak_memory_bytes();
    EXPECT_EQ(walpost.terminate(), 0);
    std::int64_t records = 0;
    KafkaConsumer(kafka.bootstrap(), {topic}).for_each_to_end([&](const KafkaRecord&) {
      ++records;
    });
    EXPECT_EQ(records, rows);
    database.exec("SELECT pg_drop_replication_slot('" + name + "')");
    std::cout << rows << " rows: peak " << peak / 1024 << " KiB\n";
    return peak;
  }
};

TEST_F(MemoryTest, ATransactionOfTwoMillionRowsNeedsNoMoreThanOneOfTwentyThousand) {
  const auto small = peak_memory_of(20'000);
  const auto large = peak_memory_of(2'000'000);
  EXPECT_LE(large, 64 * kMiB);
  EXPECT_LE(static_cast<double>(large), 1.2 * static_cast<double>(small));
}

}  // namespace
}  // namespace walpost::test
