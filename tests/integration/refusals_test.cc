// What `run` refuses: the exit code, and the hint that mends it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

using ::testing::HasSubstr;

constexpr int kUsage = 2;
constexpr int kUnreachable = 3;
constexpr int kSetup = 4;
constexpr int kRow = 5;
constexpr int kUndeliverable = 6;

class RefusalsTest : public ::testing::Test {
 protected:
  RefusalsTest()
      : server_(PostgresServer::shared(15)),
        name_(server_.create_database()),
        database_(server_.conninfo(name_)) {
    database_.exec(
        "CREATE TABLE outbox (id int PRIMARY KEY, aggregatetype text, aggregateid text,"
        " payload jsonb, created_at timestamptz DEFAULT now(), total int"
        " GENERATED ALWAYS AS (id * 2) STORED)");
    database_.exec("CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish = 'insert')");
  }

  ~RefusalsTest() override {
    database_.exec(
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
        " WHERE database = current_database() AND NOT active");
  }

  void create_slot(const std::string& plugin = "pgoutput") {
    database_.exec("SELECT pg_create_logical_replication_slot('" + name_ + "', '" + plugin + "')");
  }

  [[nodiscard]] WalpostResult run(const std::vector<std::string>& more = {}) const {
    return run_on(server_.conninfo(name_), more);
  }

  [[nodiscard]] WalpostResult run_on(const std::string& conninfo,
                                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"run",    "--dbname", conninfo,    "--slot",   name_,
                                       "--sink", "null",     "--no-http", "--endpos", "now"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_walpost(arguments);
  }

  static void expect_refused(const WalpostResult& result, int code,
                             const std::vector<std::string>& texts) {
    EXPECT_EQ(result.exit_code, code) << result.stderr_text;
    for (const auto& text : texts) EXPECT_THAT(result.stderr_text, HasSubstr(text));
  }

  PostgresServer& server_;
  std::string name_;
  Database database_;
};

TEST_F(RefusalsTest, MissingSlot) {
  expect_refused(run(), kSetup,
                 {"slot \"" + name_ + "\" does not exist", "walpost setup", "--slot"});
}

TEST_F(RefusalsTest, MissingPublication) {
  create_slot();
  database_.exec("DROP PUBLICATION walpost");
  expect_refused(run(), kSetup, {"publication \"walpost\" does not exist", "walpost setup"});
}

TEST_F(RefusalsTest, PublicationWithoutInsert) {
  create_slot();
  database_.exec("ALTER PUBLICATION walpost SET (publish = 'update')");
  expect_refused(
      run(), kSetup,
      {"does not publish INSERT", "ALTER PUBLICATION \"walpost\" SET (publish = 'insert')"});
}

TEST_F(RefusalsTest, MissingTable) {
  create_slot();
  expect_refused(run({"--table", "shop.events"}), kSetup,
                 {"table \"shop\".\"events\" does not exist", "--create-table"});
}

TEST_F(RefusalsTest, TableOutsideThePublication) {
  create_slot();
  database_.exec("CREATE TABLE other (LIKE outbox)");
  expect_refused(run({"--table", "other"}), kSetup,
                 {"ALTER PUBLICATION \"walpost\" ADD TABLE \"public\".\"other\""});
}

TEST_F(RefusalsTest, MissingColumn) {
  create_slot();
  expect_refused(run({"--route-by-field", "topic"}), kSetup,
                 {"no column \"topic\"", "--route-by-field"});
}

TEST_F(RefusalsTest, GeneratedColumn) {
  create_slot();
  expect_refused(run({"--table-field-event-key", "total"}), kSetup,
                 {"\"total\"", "generated", "--table-field-event-key"});
}

TEST_F(RefusalsTest, SlotOfAnotherPlugin) {
  create_slot("test_decoding");
  expect_refused(run(), kSetup, {"test_decoding", "--slot"});
}

TEST_F(RefusalsTest, PhysicalSlot) {
  database_.exec("SELECT pg_create_physical_replication_slot('" + name_ + "')");
  expect_refused(run(), kSetup, {"physical", "--slot"});
  database_.exec("SELECT pg_drop_replication_slot('" + name_ + "')");
}

TEST_F(RefusalsTest, SlotOfAnotherDatabase) {
  create_slot();
  const auto other = server_.create_database();
  Database(server_.conninfo(other))
      .exec(
          "CREATE TABLE outbox (id int, aggregatetype text, aggregateid text, payload text);"
          "CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish = 'insert')");
  expect_refused(run_on(server_.conninfo(other)), kSetup,
                 {"belongs to database \"" + name_ + "\""});
}

TEST_F(RefusalsTest, RoleWithoutReplication) {
  create_slot();
  database_.exec("DROP ROLE IF EXISTS plain");
  database_.exec("CREATE ROLE plain LOGIN");
  expect_refused(run_on(server_.conninfo(name_, "plain")), kSetup, {"ALTER ROLE", "REPLICATION"});
}

TEST_F(RefusalsTest, UnknownRoleAndDatabase) {
  expect_refused(run_on(server_.conninfo(name_, "nobody_here")), kSetup, {"nobody_here"});
  expect_refused(run_on(server_.conninfo("no_such_database")), kSetup, {"no_such_database"});
}

TEST_F(RefusalsTest, UnreachableServer) {
  expect_refused(run_on("host=127.0.0.1 port=1 dbname=" + name_, {"--reconnect-timeout", "500ms"}),
                 kUnreachable, {"--reconnect-timeout"});
}

TEST_F(RefusalsTest, RowWithoutATopic) {
  create_slot();
  database_.exec("INSERT INTO outbox VALUES (7, NULL, 'o-1', '{}')");
  expect_refused(run(), kRow, {"--route-by-field", "NULL", "7"});
}

TEST_F(RefusalsTest, InvalidTopicName) {
  create_slot();
  database_.exec("INSERT INTO outbox VALUES (7, 'order of mine', 'o-1', '{}')");
  // The name is refused before any broker is asked.
  auto arguments =
      std::vector<std::string>{"run",      "--dbname",  server_.conninfo(name_), "--slot",
                               name_,      "--brokers", "127.0.0.1:1",           "--no-http",
                               "--endpos", "now"};
  expect_refused(run_walpost(arguments), kUndeliverable,
                 {"event id 7", "0x20", "--route-topic-replacement"});
}

TEST_F(RefusalsTest, OptionsThatMeanNothing) {
  expect_refused(run({"--slott", "x"}), kUsage, {"--slott", "--slot"});
  expect_refused(run({"--status-interval", "10"}), kUsage, {"--status-interval: 10: "});
  expect_refused(run({"--route-topic-regex", "("}), kUsage, {"--route-topic-regex"});
  expect_refused(run({"--route-topic-replacement", "${x}"}), kUsage, {"--route-topic-replacement"});
  EXPECT_EQ(run_walpost({"rn"}).exit_code, kUsage);
  WalpostOptions environment{.environment = {"WALPOST_SLOTT=x"}};
  expect_refused(run_walpost({"run", "--sink", "null"}, environment), kUsage,
                 {"WALPOST_SLOTT", "WALPOST_SLOT"});
}

TEST_F(RefusalsTest, KafkaPropertiesThatTheGuaranteeRestsOn) {
  for (const std::string property :
       {"acks=1", "enable.idempotence=false", "message.timeout.ms=1000",
        "enable.gapless.guarantee=false", "partitioner=random"}) {
    const auto result = run_walpost({"run", "--dbname", server_.conninfo(name_), "--brokers",
                                     "127.0.0.1:1", "--no-http", "-X", property});
    expect_refused(result, kUsage, {property.substr(0, property.find('='))});
  }
  expect_refused(run_walpost({"run", "--brokers", "127.0.0.1:1", "--no-http", "-X",
                              "queue.bufering.max.ms=1"}),
                 kUsage, {"queue.bufering.max.ms", "queue.buffering.max.ms"});
}

// An active slot is waited for, not refused.
TEST_F(RefusalsTest, ActiveSlotIsWaitedForAndItsHolderNamed) {
  create_slot();
  const std::vector<std::string> arguments{
      "run", "--dbname", server_.conninfo(name_), "--slot", name_, "--sink", "null", "--no-http"};
  WalpostProcess first(arguments);
  first.wait_for_log("streaming");
  const auto pid = database_.value(
      "SELECT active_pid FROM pg_replication_slots WHERE slot_name = '" + name_ + "'");
  WalpostProcess second(arguments);
  second.wait_for_log("PID " + pid);
  EXPECT_EQ(first.terminate(), 0);
  second.wait_for_log("streaming");
  EXPECT_EQ(second.terminate(), 0);
}

// 14 to 17 end the stream with an error, 18 only warns and leaves the rows out.
class YoungPublicationTest : public ::testing::TestWithParam<int> {};

TEST_P(YoungPublicationTest, IsRefusedAndConfirmsNothing) {
  auto& server = PostgresServer::shared(GetParam());
  const auto name = server.create_database();
  Database database(server.conninfo(name));
  database.exec("CREATE TABLE outbox (id int, aggregatetype text, aggregateid text, payload text)");
  const auto created_at = database.value("SELECT lsn FROM pg_create_logical_replication_slot('" +
                                         name + "', 'pgoutput')");
  database.exec("INSERT INTO outbox VALUES (1, 'order', 'o-1', '{}')");
  database.exec("CREATE PUBLICATION walpost FOR TABLE outbox");
  database.exec("INSERT INTO outbox VALUES (2, 'order', 'o-1', '{}')");
  const auto result = run_walpost({"run", "--dbname", server.conninfo(name), "--slot", name,
                                   "--sink", "null", "--no-http", "--endpos", "now"});
  EXPECT_EQ(result.exit_code, kSetup) << result.stderr_text;
  EXPECT_THAT(result.stderr_text, HasSubstr("did not exist yet"));
  EXPECT_THAT(result.stderr_text, HasSubstr("pg_drop_replication_slot"));
  EXPECT_EQ(
      database.value("SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '" +
                     name + "'"),
      created_at);
  database.wait_until("SELECT active FROM pg_replication_slots WHERE slot_name = '" + name + "'",
                      "f");
  database.exec("SELECT pg_drop_replication_slot('" + name + "')");
}

INSTANTIATE_TEST_SUITE_P(AllMajors, YoungPublicationTest, ::testing::ValuesIn(kPostgresMajors));

class WalLevelTest : public ::testing::Test {};

TEST_F(WalLevelTest, ReplicaIsRefused) {
  PostgresServer server(15, {{"wal_level", "replica"}});
  const auto result = run_walpost(
      {"run", "--dbname", server.conninfo(), "--sink", "null", "--no-http", "--endpos", "now"});
  EXPECT_EQ(result.exit_code, kSetup);
  EXPECT_THAT(result.stderr_text, HasSubstr("ALTER SYSTEM SET wal_level = 'logical'"));
  EXPECT_THAT(result.stderr_text, HasSubstr("restart"));
}

}  // namespace
}  // namespace walpost::test
