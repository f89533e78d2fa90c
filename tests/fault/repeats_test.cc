// What a SIGKILL under load may repeat: the transactions that could not be confirmed yet, and those
// that could for less than 100 ms.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <unordered_map>

#include "database.h"
#include "kafka_broker.h"
#include "kafka_consumer.h"
#include "postgres_server.h"
#include "walpost_process.h"
#include "workload.h"

namespace walpost::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::system_clock;

TEST(RepeatsTest, AfterAKillOnlyTheNewestRecordsComeAgain) {
  auto& server = PostgresServer::shared(15);
  auto& kafka = KafkaBroker::shared();
  const auto name = server.create_database();
  const auto conninfo = server.conninfo(name);
  const auto topic = name + ".order";
  // One partition, so that the log's order is that of the commits, and the broker's own time.
  kafka.create_topic(topic, 1, {{"message.timestamp.type", "LogAppendTime"}});
  Workload workload(conninfo);
  const std::vector<std::string> arguments{"run",
                                           "--dbname",
                                           conninfo,
                                           "--slot",
                                           name,
                                           "--brokers",
                                           kafka.bootstrap(),
                                           "--route-topic-replacement",
                                           name + ".${routedByValue}",
                                           "--auto-setup",
                                           "--no-http"};
  std::optional<WalpostProcess> walpost(arguments);
  walpost->wait_for_log("streaming");

  workload.start(4, 300'000);
  std::vector<system_clock::time_point> kills;
  for (const std::int64_t kill_at : {60'000, 120'000, 180'000, 240'000}) {
    poll_until("the next kill", minutes(2), [&] { return workload.last_id() >= kill_at; });
    kills.push_back(system_clock::now());
    walpost->kill();
    walpost.emplace(arguments);
    walpost->wait_for_log("streaming");
  }
  workload.finish();
  Database database(conninfo);
  database.wait_until_confirmed(name, minutes(2));
  EXPECT_EQ(walpost->terminate(), 0);

  std::unordered_map<std::string, system_clock::time_point> first_seen;
  std::vector<milliseconds> ages;  // at the kill, of each record that came again
  KafkaConsumer consumer(kafka.bootstrap(), {topic});
  consumer.for_each_to_end([&](const KafkaRecord& record) {
    const auto [known, is_new] =
        first_seen.try_emplace(record.header("id").value(), record.timestamp);
    if (is_new) return;
    // The last kill before it came again. What was on its way at the kill may be appended after it.
    const auto kill = std::upper_bound(kills.begin(), kills.end(), record.timestamp);
    ASSERT_NE(kill, kills.begin()) << "a repeat that no kill explains";
    ages.push_back(std::chrono::duration_cast<milliseconds>(*(kill - 1) - known->second));
  });
  ASSERT_FALSE(first_seen.empty());
  const auto oldest = ages.empty() ? milliseconds(0) : *std::max_element(ages.begin(), ages.end());
  std::cout << ages.size() << " repeats after " << kills.size() << " kills, the oldest appended "
            << oldest.count() << " ms before its kill\n";
  // Appended is not yet acknowledged: the way back and the machine's other work come on top of the
  // 100 ms.
  EXPECT_LE(oldest, milliseconds(1'000));
  EXPECT_EQ(check_workload(conninfo, kafka.bootstrap(), topic).missing, 0);
  database.exec("SELECT pg_drop_replication_slot('" + name + "')");
}

}  // namespace
}  // namespace walpost::test
