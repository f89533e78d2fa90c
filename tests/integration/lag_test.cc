// Slot lag as `status`, /metrics and pg_replication_slots tell it: idle, under load, and with the
// broker away.

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <optional>

#include "database.h"
#include "free_port.h"
#include "http_get.h"
#include "kafka_broker.h"
#include "postgres_server.h"
#include "walpost_process.h"
#include "workload.h"

namespace walpost::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::steady_clock;

// The value of a Prometheus sample whose name (with labels) starts with `name`.
std::int64_t metric(const std::string& text, const std::string& name) {
  const auto at = text.find("\n" + name);
  if (at == std::string::npos) throw std::runtime_error("no metric " + name + "\n" + text);
  const auto line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  return static_cast<std::int64_t>(std::stod(line.substr(line.rfind(' ') + 1)));
}

class LagTest : public ::testing::Test {
 protected:
  LagTest()
      : name_(server_.create_database()),
        conninfo_(server_.conninfo(name_)),
        port_(free_port()),
        workload_(conninfo_),
        database_(conninfo_) {
    kafka_.create_topic(name_ + ".order", 4);
    walpost_.emplace(std::vector<std::string>{
        "run", "--dbname", conninfo_, "--slot", name_, "--brokers", kafka_.bootstrap(),
        "--route-topic-replacement", name_ + ".${routedByValue}", "--auto-setup", "--http",
        "127.0.0.1:" + std::to_string(port_)});
    walpost_->wait_for_log("streaming");
  }

  [[nodiscard]] std::int64_t lag_of_server() {
    return std::stoll(
        database_.value("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::bigint"
                        " FROM pg_replication_slots WHERE slot_name = '" +
                        name_ + "'"));
  }

  [[nodiscard]] std::int64_t lag_of_status() {
    const auto result = run_walpost({"status", "--json", "--dbname", conninfo_, "--slot", name_,
                                     "--http", "127.0.0.1:" + std::to_string(port_)});
    rapidjson::Document status;
    status.Parse(result.stdout_text.c_str());
    EXPECT_TRUE(status.IsObject()) << result.stdout_text << result.stderr_text;
    return status["lag_bytes"].GetInt64();
  }

  [[nodiscard]] std::int64_t lag_of_metrics() {
    return metric(http_get(port_, "/metrics").body, "walpost_slot_lag_bytes");
  }

  // All three within what the lag was from a second before to a second after.
  void expect_agreement() {
    std::int64_t least = lag_of_server();
    std::int64_t most = least;
    const auto observe_for_a_second = [&] {
      const auto end = steady_clock::now() + milliseconds(1000);
      poll_until("a second of lag", minutes(1), [&] {
        const auto lag = lag_of_server();
        least = std::min(least, lag);
        most = std::max(most, lag);
        return steady_clock::now() >= end;
      });
    };
    observe_for_a_second();
    const auto from_metrics = lag_of_metrics();
    const auto from_status = lag_of_status();
    observe_for_a_second();
    EXPECT_GE(from_metrics, least);
    EXPECT_LE(from_metrics, most);
    EXPECT_GE(from_status, least);
    EXPECT_LE(from_status, most);
  }

  void wait_until_ready(int status) {
    poll_until("/readyz to answer " + std::to_string(status), kPatience,
               [&] { return http_get(port_, "/readyz").status == status; });
  }

  PostgresServer server_{15};
  KafkaBroker kafka_;
  std::string name_;
  std::string conninfo_;
  std::uint16_t port_;
  Workload workload_;
  Database database_;
  std::optional<WalpostProcess> walpost_;
};

TEST_F(LagTest, AllThreeAgreeIdleUnderLoadAndWithoutABroker) {
  wait_until_ready(200);
  expect_agreement();

  workload_.start(2, 200'000);
  poll_until("some rows", kPatience, [&] { return workload_.last_id() > 10'000; });
  expect_agreement();

  kafka_.stop();
  wait_until_ready(503);
  const auto lag_before = lag_of_server();
  const auto rows_before = workload_.last_id();
  poll_until("more rows", kPatience, [&] { return workload_.last_id() > rows_before + 10'000; });
  EXPECT_GT(lag_of_server(), lag_before);
  expect_agreement();
  EXPECT_EQ(http_get(port_, "/healthz").status, 200);
  const auto critical = run_walpost({"status", "--dbname", conninfo_, "--slot", name_, "--max-lag",
                                     "1MiB", "--http", "127.0.0.1:" + std::to_string(port_)});
  EXPECT_EQ(critical.exit_code, 2) << critical.stdout_text;

  kafka_.start();
  workload_.finish();
  wait_until_ready(200);
  database_.wait_until_confirmed(name_, minutes(2));
  const auto calm = run_walpost({"status", "--dbname", conninfo_, "--slot", name_, "--max-lag",
                                 "1MiB", "--http", "127.0.0.1:" + std::to_string(port_)});
  EXPECT_EQ(calm.exit_code, 0) << calm.stdout_text;
  EXPECT_EQ(walpost_->terminate(), 0);
}

}  // namespace
}  // namespace walpost::test
