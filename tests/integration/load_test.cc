// A million rows from eight writers into a real Kafka: once left alone, once with walpost killed
// twenty times.

#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <random>

#include "database.h"
#include "kafka_broker.h"
#include "kafka_consumer.h"
#include "postgres_server.h"
#include "walpost_process.h"
#include "workload.h"

namespace walpost::test {
namespace {

using std::chrono::minutes;

constexpr int kWriters = 8;
// Ids taken; of each ten transactions one is rolled back.
constexpr std::int64_t kIds = 1'200'000;
constexpr std::int64_t kRows = 1'000'000;

class LoadTest : public ::testing::Test {
 protected:
  LoadTest()
      : server_(PostgresServer::shared(15)),
        kafka_(KafkaBroker::shared()),
        name_(server_.create_database()),
        conninfo_(server_.conninfo(name_)),
        workload_(conninfo_),
        database_(conninfo_),
        topic_(name_ + ".order") {
    kafka_.create_topic(topic_, 8);
  }

  ~LoadTest() override {
    walpost_.reset();
    database_.wait_until(
        "SELECT count(*) FROM pg_replication_slots WHERE active AND slot_name = '" + name_ + "'",
        "0");
    database_.exec("SELECT pg_drop_replication_slot('" + name_ + "')");
  }

  void start_walpost() {
    walpost_ = std::make_unique<WalpostProcess>(std::vector<std::string>{
        "run", "--dbname", conninfo_, "--slot", name_, "--brokers", kafka_.bootstrap(),
        "--route-topic-replacement", name_ + ".${routedByValue}", "--auto-setup", "--no-http"});
  }

  void wait_until_caught_up() { database_.wait_until_confirmed(name_, minutes(5)); }

  WorkloadReport check() const {
    const auto report = check_workload(conninfo_, kafka_.bootstrap(), topic_);
    std::cout << "committed " << report.committed << ", delivered " << report.delivered
              << ", repeated " << report.repeated << '\n';
    EXPECT_GE(report.committed, kRows);
    EXPECT_EQ(report.missing, 0);
    EXPECT_EQ(report.invented, 0);
    EXPECT_EQ(report.out_of_order, 0);
    EXPECT_EQ(report.wrong_partition, 0);
    return report;
  }

  PostgresServer& server_;
  KafkaBroker& kafka_;
  std::string name_;
  std::string conninfo_;
  Workload workload_;
  Database database_;
  std::string topic_;
  std::unique_ptr<WalpostProcess> walpost_;
};

TEST_F(LoadTest, AMillionRowsArriveExactlyOnceAndInOrder) {
  start_walpost();
  walpost_->wait_for_log("streaming");
  workload_.start(kWriters, kIds);
  workload_.finish();
  wait_until_caught_up();
  EXPECT_EQ(walpost_->terminate(), 0);
  EXPECT_EQ(check().repeated, 0);
}

TEST_F(LoadTest, TwentyKillsLoseNothingAndKeepTheOrder) {
  constexpr int kKills = 20;
  start_walpost();
  walpost_->wait_for_log("streaming");
  workload_.start(kWriters, kIds);
  std::mt19937 random(20);
  std::uniform_int_distribution<std::int64_t> progress(kRows / 200, kRows * 8 / (10 * kKills));
  for (int kill = 0; kill < kKills; ++kill) {
    const std::int64_t kill_at = workload_.last_id() + progress(random);
    poll_until("the writers to reach " + std::to_string(kill_at), minutes(5),
               [&] { return workload_.last_id() >= kill_at || workload_.last_id() >= kIds; });
    walpost_->kill();
    start_walpost();
    walpost_->wait_for_log("streaming");
  }
  workload_.finish();
  wait_until_caught_up();
  EXPECT_EQ(walpost_->terminate(), 0);
  check();
}

}  // namespace
}  // namespace walpost::test
