// The ends that are not clean: the broker away at SIGTERM, a second signal, an output that takes
// nothing. Nothing unsent is confirmed by any of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "database.h"
#include "free_port.h"
#include "http_get.h"
#include "poll_until.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

using ::testing::HasSubstr;

constexpr int kUndeliverable = 6;
constexpr int kDrainDeadline = 7;

class StopTest : public ::testing::Test {
 protected:
  StopTest()
      : server_(PostgresServer::shared(15)),
        name_(server_.create_database()),
        database_(server_.conninfo(name_)) {
    database_.exec(
        "CREATE TABLE outbox (id int PRIMARY KEY, aggregatetype text, aggregateid text,"
        " payload text)");
    database_.exec("CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish = 'insert')");
    created_at_ = database_.value("SELECT lsn FROM pg_create_logical_replication_slot('" + name_ +
                                  "', 'pgoutput')");
    database_.exec("INSERT INTO outbox VALUES (1, 'order', 'o-1', 'x')");
  }

  ~StopTest() override {
    database_.wait_until(
        "SELECT active FROM pg_replication_slots WHERE slot_name = '" + name_ + "'", "f");
    database_.exec("SELECT pg_drop_replication_slot('" + name_ + "')");
  }

  // With a broker where nobody listens.
  [[nodiscard]] std::vector<std::string> arguments(const std::string& drain_timeout) const {
    return {"run",
            "--dbname",
            server_.conninfo(name_),
            "--slot",
            name_,
            "--brokers",
            "127.0.0.1:" + std::to_string(free_port()),
            "--http",
            "127.0.0.1:" + std::to_string(port_),
            "--drain-timeout",
            drain_timeout};
  }

  // The row has been received and waits for the broker.
  void wait_for_unacknowledged() {
    poll_until("a transaction that is not acknowledged", std::chrono::seconds(30), [&] {
      return http_get(port_, "/metrics").body.find("\nwalpost_oldest_unacknowledged_seconds ") !=
             std::string::npos;
    });
  }

  void expect_nothing_confirmed() {
    EXPECT_EQ(database_.value("SELECT confirmed_flush_lsn FROM pg_replication_slots"
                              " WHERE slot_name = '" +
                              name_ + "'"),
              created_at_);
  }

  PostgresServer& server_;
  std::string name_;
  Database database_;
  std::string created_at_;
  std::uint16_t port_ = free_port();
};

TEST_F(StopTest, DrainDeadlineWithoutABroker) {
  WalpostProcess walpost(arguments("1s"));
  walpost.wait_for_log("streaming");
  wait_for_unacknowledged();
  walpost.signal(SIGTERM);
  EXPECT_EQ(walpost.wait_exit(), kDrainDeadline);
  EXPECT_THAT(walpost.stderr_text(), HasSubstr("will come again"));
  expect_nothing_confirmed();
}

TEST_F(StopTest, SecondSignalEndsAtOnce) {
  WalpostProcess walpost(arguments("10m"));
  walpost.wait_for_log("streaming");
  wait_for_unacknowledged();
  walpost.signal(SIGINT);
  walpost.wait_for_log("stopping");
  walpost.signal(SIGTERM);
  EXPECT_EQ(walpost.wait_exit(), kDrainDeadline);
  EXPECT_THAT(walpost.stderr_text(), HasSubstr("second signal"));
  expect_nothing_confirmed();
}

TEST_F(StopTest, HangupIsIgnored) {
  WalpostProcess walpost(arguments("1s"));
  walpost.wait_for_log("streaming");
  walpost.signal(SIGHUP);
  walpost.wait_for_log("SIGHUP is ignored");
  walpost.kill();
}

TEST_F(StopTest, FullDiskBehindStdoutIsADeliveryFailure) {
  const auto result = run_walpost({"run", "--dbname", server_.conninfo(name_), "--slot", name_,
                                   "--sink", "stdout", "--endpos", "now", "--no-http"},
                                  {.stdout_file = "/dev/full"});
  EXPECT_EQ(result.exit_code, kUndeliverable) << result.stderr_text;
  EXPECT_THAT(result.stderr_text, HasSubstr("No space left on device"));
  expect_nothing_confirmed();
}

}  // namespace
}  // namespace walpost::test
