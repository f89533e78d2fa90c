// The partition of a key is the one that Java's producer chooses, so that consumers which rely on
// it, by joins of topics for example, notice no change.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "database.h"
#include "java_partition.h"
#include "kafka_broker.h"
#include "kafka_consumer.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

constexpr std::array<std::int32_t, 4> kPartitionCounts{1, 3, 12, 100};
constexpr std::size_t kKeyCount = 10'000;

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t limit) { return random() % limit; }

std::string random_bytes(Random& random, std::size_t size, unsigned first, unsigned count) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) {
    bytes.push_back(static_cast<char>(first + below(random, count)));
  }
  return bytes;
}

// Keys as every column type and format makes them: texts, numbers, UUIDs, JSON, any bytes.
std::string random_key(Random& random) {
  switch (below(random, 6)) {
    case 0:
      return random_bytes(random, below(random, 40), ' ', 95);
    case 1:
      return std::to_string(static_cast<std::int64_t>(random()));
    case 2:
      return fmt::format("{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}", below(random, 1ULL << 32),
                         below(random, 1U << 16), below(random, 1U << 12), below(random, 1U << 12),
                         below(random, 1ULL << 48));
    case 3:
      return "\"" + random_bytes(random, below(random, 20), 'a', 26) + "\"";
    case 4: {
      std::string text;
      for (auto left = below(random, 10); left > 0; --left) text += "ключ€😀" + std::to_string(left);
      return text;
    }
    default:
      return random_bytes(random, below(random, 64), 0, 256);
  }
}

// Different ones, in hexadecimal.
std::vector<std::string> random_keys() {
  Random random(20240229);
  std::map<std::string, bool> keys{{"", true}};
  while (keys.size() < kKeyCount) {
    std::string hex;
    for (const char c : random_key(random)) {
      hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
    }
    keys.emplace(hex, true);
  }
  std::vector<std::string> result;
  for (const auto& [key, there] : keys) result.push_back(key);
  return result;
}

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

// By topic's partition count, then by key.
using Choices = std::map<std::int32_t, std::map<std::string, std::int32_t>>;

Choices of_java(const std::vector<std::string>& keys) {
  const ScratchDirectory scratch;
  const auto key_file = scratch.path() / "keys";
  const auto output = scratch.path() / "partitions";
  std::ofstream out(key_file);
  for (const std::string& key : keys) out << key << "\n";
  out.close();
  std::vector<std::string> argv{"java", "-cp", (servers_directory() / "kafka" / "*").string(),
                                WALPOST_SOURCE_DIR "/tests/conformance/partitioner/Partitions.java",
                                key_file.string()};
  for (const std::int32_t count : kPartitionCounts) argv.push_back(std::to_string(count));
  run_to_success({.argv = argv, .stdout_file = output, .stderr_file = new_log_file("java")},
                 kPatience);
  Choices result;
  std::istringstream lines(read_file(output));
  for (const std::string& key : keys) {
    for (const std::int32_t count : kPartitionCounts) {
      if (!(lines >> result[count][bytes_of_hex(key)])) {
        throw std::runtime_error("Java did not answer for all keys");
      }
    }
  }
  return result;
}

Choices of_walpost(const std::vector<std::string>& keys) {
  auto& server = PostgresServer::shared(15);
  auto& kafka = KafkaBroker::shared();
  const std::string name = server.create_database();
  Database database(server.conninfo(name));
  database.exec(
      "CREATE TABLE outbox (id bigserial PRIMARY KEY, aggregatetype text, aggregateid bytea,"
      " payload text);"
      "CREATE TABLE keys (key bytea);"
      "CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish = 'insert')");
  std::string lines;
  for (const std::string& key : keys) lines += "\\\\x" + key + "\n";
  database.copy_in("COPY keys FROM STDIN", lines);
  database.exec("SELECT pg_create_logical_replication_slot('" + name + "', 'pgoutput')");
  std::vector<std::string> topics;
  for (const std::int32_t count : kPartitionCounts) {
    topics.push_back("partitions." + std::to_string(count));
    kafka.create_topic(topics.back(), count);
    database.query(
        "INSERT INTO outbox (aggregatetype, aggregateid, payload) SELECT $1, key, 'x' FROM keys",
        {topics.back()});
  }
  const auto result = run_walpost({"run", "--dbname", server.conninfo(name), "--slot", name,
                                   "--brokers", kafka.bootstrap(), "--endpos", "now", "--no-http",
                                   "--route-topic-replacement", "${routedByValue}"});
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  Choices choices;
  for (const KafkaRecord& record : read_topics(kafka.bootstrap(), topics)) {
    const std::int32_t count = std::stoi(record.topic.substr(record.topic.find('.') + 1));
    choices[count][record.key.value()] = record.partition;
  }
  database.exec("SELECT pg_drop_replication_slot('" + name + "')");
  return choices;
}

TEST(PartitionerTest, ChoosesAsJavasProducerDoes) {
  const std::vector<std::string> keys = random_keys();
  const Choices java = of_java(keys);
  const Choices walpost = of_walpost(keys);
  for (const std::int32_t count : kPartitionCounts) {
    ASSERT_EQ(java.at(count).size(), kKeyCount);
    EXPECT_EQ(walpost.at(count), java.at(count)) << count << " partitions";
    for (const auto& [key, partition] : java.at(count)) {
      ASSERT_EQ(java_partition(key, count), partition) << "the replay's own computation";
    }
  }
}

}  // namespace
}  // namespace walpost::test
