// The outbox tables that people have: each streams by flags alone, without a change to the table.
// What a shape keeps in further columns for headers is beyond this version's routing options.

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <sstream>

#include "database.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

struct Shape {
  std::string name;
  std::string table;  // as --table takes it
  std::string ddl;
  std::string insert;
  std::vector<std::string> flags;
  // Of the one record.
  std::string topic;
  std::string key;
  std::string value;  // as text
  std::string id_header;
  std::int64_t timestamp_ms = -1;  // -1: the commit time
  std::string publish_options = "publish = 'insert'";
};

constexpr std::int64_t kCreatedAtMs = 1735787045678;  // 2025-01-02 03:04:05.678 UTC
constexpr const char* kUuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

std::vector<Shape> shapes() {
  const std::string id = kUuid;
  const std::string at = "'2025-01-02 03:04:05.678+00'";
  return {
      {.name = "DebeziumsDefault",
       .table = "outbox",
       .ddl = "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL,"
              " aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb)",
       .insert =
           "INSERT INTO outbox VALUES ('" + id + "', 'order', 'o-1', 'created', '{\"a\": 1}')",
       .flags = {},
       .topic = "outbox.event.order",
       .key = "o-1",
       .value = "{\"a\": 1}",
       .id_header = id},
      {.name = "NodeServices",
       .table = "outbox",
       .ddl = "CREATE TABLE outbox (id uuid PRIMARY KEY, topic text, event_type text,"
              " aggregate_id text, payload jsonb, metadata jsonb, created_at timestamptz,"
              " published_at timestamptz, attempts int DEFAULT 0, next_attempt_at timestamptz)",
       .insert = "INSERT INTO outbox (id, topic, event_type, aggregate_id, payload, created_at)"
                 " VALUES ('" +
                 id + "', 'orders.v1', 'created', 'o-1', '{\"a\": 1}', " + at +
                 ");"
                 " UPDATE outbox SET published_at = now()",
       .flags = {"--route-by-field", "topic", "--route-topic-replacement", "${routedByValue}",
                 "--table-field-event-key", "aggregate_id", "--table-field-event-timestamp",
                 "created_at"},
       .topic = "orders.v1",
       .key = "o-1",
       .value = "{\"a\": 1}",
       .id_header = id,
       .timestamp_ms = kCreatedAtMs,
       .publish_options = "publish = 'insert, update, delete'"},
      {.name = "GoServices",
       .table = "outbox",
       .ddl = "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregate_type text, aggregate_id text,"
              " event_type text, payload jsonb, status text DEFAULT 'pending', attempts int,"
              " next_attempt_at timestamptz, created_at timestamptz, published_at timestamptz)",
       .insert = "INSERT INTO outbox (id, aggregate_type, aggregate_id, payload, created_at)"
                 " VALUES ('" +
                 id + "', 'order', 'o-1', '{\"a\": 1}', " + at + ")",
       .flags = {"--route-by-field", "aggregate_type", "--table-field-event-key", "aggregate_id",
                 "--table-field-event-timestamp", "created_at"},
       .topic = "outbox.event.order",
       .key = "o-1",
       .value = "{\"a\": 1}",
       .id_header = id,
       .timestamp_ms = kCreatedAtMs},
      {.name = "Minimal",
       .table = "outbox",
       .ddl = "CREATE TABLE outbox (id bigserial PRIMARY KEY, aggregate_id text, topic text,"
              " payload jsonb, created_at timestamptz, published_at timestamptz)",
       .insert = "INSERT INTO outbox (aggregate_id, topic, payload, created_at)"
                 " VALUES ('o-1', 'orders', '[1]', " +
                 at + ")",
       .flags = {"--route-by-field", "topic", "--route-topic-replacement", "${routedByValue}",
                 "--table-field-event-key", "aggregate_id"},
       .topic = "orders",
       .key = "o-1",
       .value = "[1]",
       .id_header = "1"},
      {.name = "WithContract",
       .table = "outbox",
       .ddl =
           "CREATE TABLE outbox (event_id uuid PRIMARY KEY, aggregate_id text, aggregate_type text,"
           " event_type text, payload jsonb, occurred_at timestamptz, schema_version int,"
           " correlation_id uuid, causation_id uuid)",
       .insert = "INSERT INTO outbox VALUES ('" + id + "', 'o-1', 'order', 'created', '{}', " + at +
                 ", 3, '" + id + "', NULL)",
       .flags = {"--table-field-event-id", "event_id", "--table-field-event-key", "aggregate_id",
                 "--route-by-field", "aggregate_type", "--table-field-event-timestamp",
                 "occurred_at"},
       .topic = "outbox.event.order",
       .key = "o-1",
       .value = "{}",
       .id_header = id,
       .timestamp_ms = kCreatedAtMs},
      {.name = "BinaryPayload",
       .table = "outbox",
       .ddl = "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL,"
              " aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload bytea)",
       .insert =
           "INSERT INTO outbox VALUES ('" + id + "', 'order', 'o-1', 'created', '\\x0000000001ff')",
       .flags = {},
       .topic = "outbox.event.order",
       .key = "o-1",
       .value = "base64:AAAAAAH/",
       .id_header = id},
      {.name = "HeadersInTheRow",
       .table = "outbox",
       .ddl = "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregatetype text, aggregateid text,"
              " headers jsonb, payload jsonb)",
       .insert = "INSERT INTO outbox VALUES ('" + id + "', 'order', 'o-1', '{\"h\": \"1\"}', '{}')",
       .flags = {},
       .topic = "outbox.event.order",
       .key = "o-1",
       .value = "{}",
       .id_header = id},
      {.name = "PartitionedByDay",
       .table = "outbox",
       .ddl = "CREATE TABLE outbox (id uuid, aggregatetype text, aggregateid text, type text,"
              " payload jsonb, created_at timestamptz NOT NULL) PARTITION BY RANGE (created_at)",
       .insert = "CREATE TABLE outbox_1 PARTITION OF outbox FOR VALUES FROM ('2025-01-01') TO"
                 " ('2025-01-03'); INSERT INTO outbox VALUES ('" +
                 id + "', 'order', 'o-1', 'created', '{}', " + at + "); DROP TABLE outbox_1",
       .flags = {"--table-field-event-timestamp", "created_at"},
       .topic = "outbox.event.order",
       .key = "o-1",
       .value = "{}",
       .id_header = id,
       .timestamp_ms = kCreatedAtMs,
       .publish_options = "publish = 'insert', publish_via_partition_root = true"},
      {.name = "InsertAndDelete",
       .table = "outbox",
       .ddl = "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregatetype text, aggregateid text,"
              " type text, payload jsonb)",
       .insert = "BEGIN; INSERT INTO outbox VALUES ('" + id +
                 "', 'order', 'o-1', 'created', '{}'); DELETE FROM outbox; COMMIT",
       .flags = {},
       .topic = "outbox.event.order",
       .key = "o-1",
       .value = "{}",
       .id_header = id,
       .publish_options = "publish = 'insert, update, delete, truncate'"},
      {.name = "QuotedAndMixedCase",
       .table = "\"Outbox\".\"DomainEvents\"",
       .ddl = "CREATE SCHEMA \"Outbox\"; CREATE TABLE \"Outbox\".\"DomainEvents\" (\"Id\" uuid"
              " PRIMARY KEY, \"AggregateType\" text, \"AggregateId\" text, \"Payload\" text)",
       .insert =
           "INSERT INTO \"Outbox\".\"DomainEvents\" VALUES ('" + id + "', 'Order', 'o-1', '')",
       .flags = {"--table-field-event-id", "Id", "--route-by-field", "AggregateType",
                 "--table-field-event-key", "AggregateId", "--table-field-event-payload",
                 "Payload"},
       .topic = "outbox.event.Order",
       .key = "o-1",
       .value = "",
       .id_header = id},
  };
}

std::string text_of(const rapidjson::Value& value) {
  if (value.IsString()) return {value.GetString(), value.GetStringLength()};
  if (value.IsObject()) return std::string("base64:") + value["base64"].GetString();
  return "null";
}

class OutboxTablesTest : public ::testing::TestWithParam<Shape> {};

TEST_P(OutboxTablesTest, StreamsByFlagsAlone) {
  const Shape& shape = GetParam();
  auto& server = PostgresServer::shared(15);
  const auto name = server.create_database();
  Database database(server.conninfo(name));
  database.exec(shape.ddl);
  database.exec("CREATE PUBLICATION walpost FOR TABLE " + shape.table + " WITH (" +
                shape.publish_options + ")");
  database.exec("SELECT pg_create_logical_replication_slot('" + name + "', 'pgoutput')");
  database.exec(shape.insert);

  std::vector<std::string> arguments{
      "run",      "--dbname", server.conninfo(name), "--slot",  name,       "--sink", "stdout",
      "--endpos", "now",      "--no-http",           "--table", shape.table};
  arguments.insert(arguments.end(), shape.flags.begin(), shape.flags.end());
  const auto result = run_walpost(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.stderr_text;

  std::istringstream lines(result.stdout_text);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line)) << result.stderr_text;
  rapidjson::Document record;
  record.Parse(line.c_str());
  ASSERT_TRUE(record.IsObject()) << line;
  EXPECT_EQ(text_of(record["topic"]), shape.topic);
  EXPECT_EQ(text_of(record["key"]), shape.key);
  EXPECT_EQ(text_of(record["value"]), shape.value);
  EXPECT_EQ(text_of(record["headers"][0]["value"]), shape.id_header);
  if (shape.timestamp_ms >= 0) {
    EXPECT_EQ(record["timestamp"].GetInt64(), shape.timestamp_ms);
  }
  EXPECT_FALSE(std::getline(lines, line)) << line;
  database.exec("SELECT pg_drop_replication_slot('" + name + "')");
}

INSTANTIATE_TEST_SUITE_P(Shapes, OutboxTablesTest, ::testing::ValuesIn(shapes()),
                         [](const auto& shape) { return shape.param.name; });

}  // namespace
}  // namespace walpost::test
