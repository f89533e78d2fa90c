// The sample of docker-compose.yml without its containers: the same tables, roles and orders.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "child_process.h"
#include "database.h"
#include "kafka_broker.h"
#include "kafka_consumer.h"
#include "postgres_server.h"
#include "scratch.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

std::filesystem::path sample(const std::string& file) {
  return std::filesystem::path(WALPOST_SOURCE_DIR) / "deploy/compose" / file;
}

TEST(ComposeSampleTest, OrdersArriveThoughRolesHaveNoMoreThanTheSampleGrants) {
  PostgresServer server(15);  // the sample's roles belong to a whole server
  const std::string database = server.create_database();
  Database(server.conninfo(database)).exec(read_file(sample("tables.sql")));
  KafkaBroker& kafka = KafkaBroker::shared();
  kafka.create_topic("outbox.event.order", 1);

  WalpostProcess walpost({"run", "--auto-setup", "--dbname", server.conninfo(database, "walpost"),
                          "--brokers", kafka.bootstrap(), "--no-http"});
  walpost.wait_for_log("streaming");
  const std::filesystem::path log = new_log_file("shop");
  ChildProcess shop({.argv = {"psql", "-X", "-v", "ON_ERROR_STOP=1", "-f", sample("orders.sql"),
                              server.conninfo(database, "shop")},
                     .stdout_file = log,
                     .stderr_file = log});

  KafkaConsumer consumer(kafka.bootstrap(), {"outbox.event.order"});
  const auto records = consumer.take(2);
  EXPECT_EQ(records.at(0).key, "1");
  EXPECT_EQ(records.at(1).key, "2");
  EXPECT_TRUE(records.at(0).header("id").has_value());
  EXPECT_TRUE(shop.running()) << log_tail(log);
  EXPECT_EQ(walpost.terminate(), 0);
}

}  // namespace
}  // namespace walpost::test
