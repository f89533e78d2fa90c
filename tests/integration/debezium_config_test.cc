// Connector configurations as people publish them run unchanged through --debezium-config, and give
// the records that Debezium's router gives.

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <chrono>
#include <fstream>
#include <set>
#include <sstream>

#include "database.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

constexpr const char* kTable =
    "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL,"
    " aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb)";

constexpr const char* kContextHeaders =
    R"({"name":"__debezium.context.connectorLogicalName","value":"PREFIX"},)"
    R"({"name":"__debezium.context.taskId","value":"0"},)"
    R"({"name":"__debezium.context.connectorName","value":"postgresql"},)"
    R"({"name":"__debezium.context.runId","value":"<uuid>"},)";

std::string context_headers(const std::string& prefix) {
  std::string text = kContextHeaders;
  return text.replace(text.find("PREFIX"), 6, prefix);
}

struct Connector {
  std::string file;
  std::string slot;  // as the file says
  std::string ddl;
  std::string insert;
  // As --sink stdout prints them, without the timestamp.
  std::vector<std::string> records;
  std::int64_t timestamp_ms = -1;  // of the first; -1: the time of processing
};

std::vector<Connector> connectors() {
  return {
      {.file = "orders-text.json",
       .slot = "orders_text",
       .ddl = kTable,
       .insert = "INSERT INTO outbox VALUES"
                 " ('5d2f0b9e-0000-4000-8000-000000000001', 'order', 'o-1', 'OrderPlaced',"
                 "  '{\"total\": 12}'),"
                 " ('5d2f0b9e-0000-4000-8000-000000000002', 'order', 'o-1', 'OrderGone', NULL)",
       .records = {R"({"topic":"shop.order.events","key":"o-1","headers":[)"
                   R"({"name":"id","value":"5d2f0b9e-0000-4000-8000-000000000001"},)"
                   R"({"name":"eventType","value":"OrderPlaced"}],"value":"{\"total\": 12}"})",
                   R"({"topic":"shop.order.events","key":"o-1","headers":[)"
                   R"({"name":"id","value":"5d2f0b9e-0000-4000-8000-000000000002"},)"
                   R"({"name":"eventType","value":"OrderGone"}],"value":null})"}},
      {.file = "invoices-expanded.json",
       .slot = "invoices_expanded",
       .ddl = "CREATE TABLE outbox_event (id uuid PRIMARY KEY, aggregate_type text,"
              " aggregate_id text, occurred_at timestamp(3), payload jsonb)",
       .insert = "INSERT INTO outbox_event VALUES ('5d2f0b9e-0000-4000-8000-000000000001',"
                 " 'billing.invoice', 'i-7', '2024-05-01 10:00:00.123',"
                 " '{\"net\": 10, \"note\": null, \"lines\": [{\"sku\": \"a\"}]}')",
       .records = {R"({"topic":"billing-invoice","key":"i-7","headers":[)" +
                   context_headers("invoices") +
                   R"({"name":"id","value":"5d2f0b9e-0000-4000-8000-000000000001"}],)"
                   R"("value":"{\"net\":10,\"lines\":[{\"sku\":\"a\"}]}"})"},
       .timestamp_ms = 1714557600123},
      {.file = "payments-envelope.properties",
       .slot = "payments_envelope",
       .ddl = "CREATE TABLE payment_outbox (event_id uuid PRIMARY KEY, kind varchar(40) NOT NULL,"
              " payment_id bigint NOT NULL, event_type text NOT NULL, tenant uuid,"
              " shard integer, body jsonb)",
       .insert = "INSERT INTO payment_outbox VALUES ('5d2f0b9e-0000-4000-8000-000000000001',"
                 " 'card', 42, 'Captured', '5d2f0b9e-0000-4000-8000-00000000000a', 2,"
                 " '{\"amount\": 5}')",
       .records =
           {R"({"topic":"outbox.event.card","partition":2,"key":"42","headers":[)"
            R"({"name":"id","value":"5d2f0b9e-0000-4000-8000-000000000001"},)"
            R"({"name":"tenantId","value":"5d2f0b9e-0000-4000-8000-00000000000a"}],)"
            R"("value":"{\"schema\":{\"type\":\"struct\",\"fields\":[)"
            R"({\"type\":\"string\",\"optional\":true,\"name\":\"io.debezium.data.Json\",)"
            R"(\"version\":1,\"field\":\"payload\"},)"
            R"({\"type\":\"string\",\"optional\":false,\"field\":\"type\"}],)"
            R"(\"optional\":false,\"name\":\"payments.public.payment_outbox.card.Value\"},)"
            R"(\"payload\":{\"payload\":\"{\\\"amount\\\": 5}\",\"type\":\"Captured\"}}"})"}},
      {.file = "customers-operations.json",
       .slot = "debezium",
       .ddl = kTable,
       .insert = "INSERT INTO outbox VALUES ('5d2f0b9e-0000-4000-8000-000000000001', 'customer',"
                 " 'c-3', 'Moved', '{}'); UPDATE outbox SET type = 'x'; DELETE FROM outbox",
       .records = {R"({"topic":"outbox.event.customer","key":"c-3","headers":[)" +
                   context_headers("customers") +
                   R"({"name":"id","value":"5d2f0b9e-0000-4000-8000-000000000001"}],)"
                   R"("value":"{}"})"}},
  };
}

Connector shipments() {
  return {.file = "shipments-binary.json",
          .slot = "shipments_binary",
          .ddl =
              "CREATE SCHEMA shipping; CREATE TABLE shipping.outbox (id uuid PRIMARY KEY,"
              " aggregatetype varchar(255) NOT NULL, aggregateid bytea NOT NULL,"
              " type varchar(255) NOT NULL, payload bytea)",
          .insert =
              "INSERT INTO shipping.outbox VALUES"
              " ('5d2f0b9e-0000-4000-8000-000000000001', 'parcel', '\\x00ff', 'Sent',"
              "  '\\x00ff6869'),"
              " ('5d2f0b9e-0000-4000-8000-000000000002', 'parcel', '\\x00ff', 'Gone', NULL)",
          .records = {R"({"topic":"outbox.event.parcel","key":{"base64":"AP8="},"headers":[)"
                      R"({"name":"id","value":"5d2f0b9e-0000-4000-8000-000000000001"}],)"
                      R"("value":{"base64":"AP9oaQ=="}})",
                      R"({"topic":"outbox.event.parcel","key":{"base64":"AP8="},"headers":[)"
                      R"({"name":"id","value":"5d2f0b9e-0000-4000-8000-000000000002"}],)"
                      R"("value":null})"}};
}

std::string path_of(const std::string& file) { return WALPOST_TEST_DATA "/debezium/" + file; }

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// A line of --sink stdout without its timestamp, which goes to `timestamps`, and with a mark in
// place of the random run id.
std::string comparable(const std::string& line, std::vector<std::int64_t>& timestamps) {
  constexpr rapidjson::SizeType kUuidLength = 36;
  rapidjson::Document record;
  record.Parse(line.c_str());
  if (!record.IsObject()) return line;
  timestamps.push_back(record["timestamp"].GetInt64());
  record.RemoveMember("timestamp");
  for (auto& header : record["headers"].GetArray()) {
    const bool is_run_id = std::string(header["name"].GetString()) == "__debezium.context.runId";
    if (is_run_id && header["value"].GetStringLength() == kUuidLength) {
      header["value"].SetString("<uuid>");
    }
  }
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  record.Accept(writer);
  return text.GetString();
}

// Sets up as the file says, inserts, and streams to the end.
void expect_records(const Connector& connector, const std::string& conninfo,
                    const std::vector<std::string>& connection, const WalpostOptions& options) {
  Database database(conninfo);
  database.exec(connector.ddl);
  std::vector<std::string> arguments = {"setup", "--debezium-config", path_of(connector.file)};
  arguments.insert(arguments.end(), connection.begin(), connection.end());
  const auto setup = run_walpost(arguments, options);
  ASSERT_EQ(setup.exit_code, 0) << setup.stderr_text << setup.stdout_text;
  database.exec(connector.insert);

  arguments.front() = "run";
  for (const char* more : {"--sink", "stdout", "--endpos", "now", "--no-http"}) {
    arguments.emplace_back(more);
  }
  const std::int64_t began_ms = now_ms();
  const auto result = run_walpost(arguments, options);
  database.exec("SELECT pg_drop_replication_slot('" + connector.slot + "')");
  ASSERT_EQ(result.exit_code, 0) << result.stderr_text;

  std::vector<std::string> records;
  std::vector<std::int64_t> timestamps;
  std::istringstream lines(result.stdout_text);
  for (std::string line; std::getline(lines, line);) {
    records.push_back(comparable(line, timestamps));
  }
  EXPECT_EQ(records, connector.records);
  ASSERT_FALSE(timestamps.empty());
  if (connector.timestamp_ms >= 0) {
    EXPECT_EQ(timestamps.front(), connector.timestamp_ms);
  } else {
    EXPECT_GE(timestamps.front(), began_ms);  // the commit was before
  }
}

class DebeziumConfigTest : public ::testing::TestWithParam<Connector> {};

TEST_P(DebeziumConfigTest, RunsUnchanged) {
  auto& server = PostgresServer::shared(15);
  const std::string conninfo = server.conninfo(server.create_database());
  expect_records(GetParam(), conninfo, {"--dbname", conninfo}, {});
}

INSTANTIATE_TEST_SUITE_P(Connectors, DebeziumConfigTest, ::testing::ValuesIn(connectors()),
                         [](const auto& connector) {
                           std::string name = connector.param.slot;
                           std::erase(name, '_');
                           return name;
                         });

// The connection too is the file's: the environment says where its host name leads.
TEST(DebeziumConfigConnection, IsTheFiles) {
  auto& server = PostgresServer::shared(15);
  Database postgres(server.conninfo());
  postgres.exec("CREATE ROLE shipments_cdc LOGIN SUPERUSER");
  postgres.exec("CREATE DATABASE shipments");
  WalpostOptions options;
  options.environment = {"PGHOSTADDR=127.0.0.1", "PGPORT=" + std::to_string(server.port())};
  expect_records(shipments(), server.conninfo("shipments"), {}, options);
}

TEST(DebeziumConfigCheck, NamesEveryEntryOfTheFile) {
  auto& server = PostgresServer::shared(15);
  const std::string file = path_of("customers-operations.json");
  const auto result = run_walpost({"check", "--json", "--debezium-config", file, "--dbname",
                                   server.conninfo(server.create_database()), "--sink", "stdout"});
  EXPECT_EQ(result.exit_code, 4) << result.stderr_text;  // no slot, no table
  rapidjson::Document answer;
  answer.Parse(result.stdout_text.c_str());
  ASSERT_TRUE(answer.IsObject()) << result.stdout_text;
  std::set<std::string> named;
  for (const auto& entry : answer["debezium_config"].GetArray()) {
    if (entry["in_file"].GetBool()) named.insert(entry["entry"].GetString());
    EXPECT_STRNE(entry["verdict"].GetString(), "refused") << entry["entry"].GetString();
  }
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  rapidjson::Document configuration;
  configuration.Parse(text.str().c_str());
  std::set<std::string> expected;
  for (const auto& member : configuration["config"].GetObject()) {
    expected.insert(member.name.GetString());
  }
  EXPECT_EQ(named, expected);
}

TEST(DebeziumConfigShow, PrintsNativeOptionsAndWhereEachIsFrom) {
  const std::string file = path_of("customers-operations.json");
  const auto shown = run_walpost({"config", "show", "--debezium-config", file});
  ASSERT_EQ(shown.exit_code, 0) << shown.stderr_text;
  const auto holds = [&](const std::string& text) {
    return shown.stdout_text.find(text) != std::string::npos;
  };
  EXPECT_TRUE(holds("\nslot = \"debezium\"  # debezium-config " + file + ": slot.name\n"));
  EXPECT_TRUE(
      holds("\nkafka-property = [\"compression.type=lz4\", \"linger.ms=5\","
            " \"message.max.bytes=2097152\"]  #"));
  EXPECT_TRUE(holds("\ntopic-creation = \"create\"  #"));
  EXPECT_TRUE(holds("\nheader-format = \"raw\"  #"));
  EXPECT_TRUE(holds("\n# producer.override.acks is not applied (not needed): "));
  EXPECT_FALSE(holds("customers-cdc-password"));
}

}  // namespace
}  // namespace walpost::test
