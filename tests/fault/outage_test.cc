// Either side away for a while: nothing is lost, memory keeps its bounds, and nobody restarts
// walpost.

#include <gtest/gtest.h>

#include <iostream>

#include "database.h"
#include "kafka_broker.h"
#include "kafka_consumer.h"
#include "postgres_server.h"
#include "walpost_process.h"
#include "workload.h"

namespace walpost::test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::size_t kMiB = std::size_t{1} << 20;

class OutageTest : public ::testing::Test {
 protected:
  OutageTest()
      : name_(server_.create_database()),
        conninfo_(server_.conninfo(name_)),
        topic_(name_ + ".order"),
        workload_(conninfo_) {
    kafka_.create_topic(topic_, 4);
  }

  void start_walpost() {
    walpost_.emplace(std::vector<std::string>{
        "run", "--dbname", conninfo_, "--slot", name_, "--brokers", kafka_.bootstrap(),
        "--route-topic-replacement", name_ + ".${routedByValue}", "--auto-setup", "--no-http"});
  }

  void wait_until_caught_up() {
    Database database(conninfo_);
    database.wait_until_confirmed(name_, minutes(3));
  }

  void expect_all_delivered() {
    const auto report = check_workload(conninfo_, kafka_.bootstrap(), topic_);
    std::cout << "committed " << report.committed << ", repeated " << report.repeated << '\n';
    EXPECT_GT(report.committed, 0);
    EXPECT_EQ(report.missing, 0);
    EXPECT_EQ(report.invented, 0);
    EXPECT_EQ(report.out_of_order, 0);
  }

  // The server that a test stops is its own.
  PostgresServer server_{15};
  KafkaBroker kafka_;
  std::string name_;
  std::string conninfo_;
  std::string topic_;
  Workload workload_;
  std::optional<WalpostProcess> walpost_;
};

TEST_F(OutageTest, BrokerAbsentAtTheStartIsWaitedFor) {
  kafka_.stop();
  start_walpost();
  walpost_->wait_for_log("streaming");
  workload_.start(2, 20'000);
  workload_.finish();
  walpost_->wait_for_log("waiting for broker");
  kafka_.start();
  wait_until_caught_up();
  EXPECT_EQ(walpost_->terminate(), 0);
  expect_all_delivered();
}

TEST_F(OutageTest, BrokerGoneForAMinuteUnderLoad) {
  start_walpost();
  walpost_->wait_for_log("streaming");
  workload_.start(4, 600'000);
  poll_until("some rows", kPatience, [&] { return workload_.last_id() > 50'000; });
  kafka_.kill();
  const auto back_at = steady_clock::now() + seconds(60);
  poll_until("a minute without a broker", minutes(2),
             [&] { return steady_clock::now() >= back_at; });
  EXPECT_LE(walpost_->child().peak_memory_bytes(), 64 * kMiB);
  kafka_.start();
  workload_.finish();
  wait_until_caught_up();
  EXPECT_LE(walpost_->child().peak_memory_bytes(), 64 * kMiB);
  EXPECT_EQ(walpost_->terminate(), 0);
  expect_all_delivered();
}

class PostgresRestartTest : public OutageTest, public ::testing::WithParamInterface<StopMode> {};

TEST_P(PostgresRestartTest, ServerRestartedUnderLoad) {
  workload_.survive_outages();
  start_walpost();
  walpost_->wait_for_log("streaming");
  workload_.start(4, 200'000);
  poll_until("some rows", kPatience, [&] { return workload_.last_id() > 50'000; });
  const auto log_before = walpost_->stderr_text().size();
  server_.restart(GetParam());
  walpost_->wait_for_log("streaming", kPatience, log_before);
  workload_.finish();
  wait_until_caught_up();
  EXPECT_EQ(walpost_->terminate(), 0);
  expect_all_delivered();
}

INSTANTIATE_TEST_SUITE_P(FastAndImmediate, PostgresRestartTest,
                         ::testing::Values(StopMode::kFast, StopMode::kImmediate));

}  // namespace
}  // namespace walpost::test
