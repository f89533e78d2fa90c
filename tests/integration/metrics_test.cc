// The metrics of a walpost at work, as Prometheus' own tool judges them.

#include <gtest/gtest.h>

#include <fstream>

#include "database.h"
#include "free_port.h"
#include "http_get.h"
#include "postgres_server.h"
#include "scratch.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

TEST(MetricsTest, PassPromtool) {
  auto& server = PostgresServer::shared(15);
  const auto name = server.create_database();
  Database database(server.conninfo(name));
  database.exec(
      "CREATE TABLE outbox (id int PRIMARY KEY, aggregatetype text, aggregateid text,"
      " payload text)");
  const auto port = free_port();
  WalpostProcess walpost({"run", "--dbname", server.conninfo(name), "--slot", name, "--sink",
                          "null", "--auto-setup", "--http", "127.0.0.1:" + std::to_string(port)});
  walpost.wait_for_log("streaming");
  database.exec("INSERT INTO outbox VALUES (1, 'order', 'o-1', 'x')");
  database.wait_until_confirmed(name);
  std::string metrics;
  poll_until("the slot's metrics", kPatience, [&] {
    metrics = http_get(port, "/metrics").body;
    return metrics.find("walpost_slot_lag_bytes{") != std::string::npos;
  });
  EXPECT_EQ(walpost.terminate(), 0);
  database.exec("SELECT pg_drop_replication_slot('" + name + "')");

  const ScratchDirectory scratch;
  const auto file = scratch.path() / "metrics";
  std::ofstream(file) << metrics;
  const auto promtool = servers_directory() / "bin" / "promtool";
  // It exits with 3 for what it merely advises against.
  run_to_success({.argv = {"sh", "-c", R"("$0" check metrics < "$1")", promtool, file}}, kPatience);
}

}  // namespace
}  // namespace walpost::test
