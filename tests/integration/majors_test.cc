// One set of rows gives the same records on every major version, whatever the database and the role
// say about text output.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "database.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

// Each is published as the payload of its own run.
const std::vector<std::string> kPayloadColumns = {
    "as_jsonb", "as_json", "as_bytea",    "as_timestamptz", "as_timestamp", "as_date",
    "as_time",  "as_text", "as_interval", "as_float4",      "as_float8",    "as_numeric",
    "as_uuid",  "as_bool", "as_array",    "as_money_text"};

constexpr const char* kTable = R"sql(
CREATE TABLE outbox (
  id uuid PRIMARY KEY, aggregatetype text NOT NULL, aggregateid text, type text,
  created_at timestamptz, as_jsonb jsonb, as_json json, as_bytea bytea, as_timestamptz timestamptz,
  as_timestamp timestamp, as_date date, as_time time, as_text text, as_interval interval,
  as_float4 float4, as_float8 float8, as_numeric numeric, as_uuid uuid, as_bool boolean,
  as_array text[], as_money_text varchar(20))
)sql";

constexpr const char* kRows = R"sql(
SET datestyle = 'ISO, YMD'; SET timezone = 'UTC'; SET intervalstyle = 'postgres';
INSERT INTO outbox VALUES
 ('00000000-0000-0000-0000-000000000001', 'order', 'o-1', 'created', '2024-11-03 05:59:59.123456+00',
  '{"b": 1, "a": [1e3, "ü", null]}', ' {"b":1,  "a":1e3}', '\x00ff5c41', '2024-03-10 07:30:00+00',
  '2024-11-03 01:30:00', '2024-02-03', '23:59:59.5', E'tab\t quote'' \\ emoji 😀',
  '1 year 2 mons -3 days 04:05:06.789', 0.1, 1e-300, 12345678901234567890.1230,
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', true, ARRAY['a','NULL',NULL,'x,y'], '1,234.50'),
 ('00000000-0000-0000-0000-000000000002', 'order', NULL, 'created', '1970-01-01 00:00:00.0019+00',
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
 ('00000000-0000-0000-0000-000000000003', 'invoice', '', 'created', 'infinity',
  'null', '"\ud800"', '', 'infinity', '0044-03-15 12:00:00 BC', '10000-01-01', '00:00:00', '',
  '-00:00:00.000001', 'NaN', '-Infinity', 'NaN', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', false, '{}',
  '')
)sql";

void set_hostile_text_settings(Database& database, const std::string& name) {
  for (const std::string& target :
       {"DATABASE " + name, std::string("ROLE postgres IN DATABASE ") + name}) {
    for (const char* setting :
         {"datestyle = 'German'", "timezone = 'America/New_York'", "intervalstyle = 'sql_standard'",
          "bytea_output = 'escape'", "extra_float_digits = -15"}) {
      database.exec("ALTER " + target + " SET " + setting);
    }
  }
}

// The records of kRows with each payload column in turn, as the stdout sink writes them.
std::string records_of(PostgresServer& server, bool hostile) {
  const std::string name = server.create_database();
  std::string records;
  {
    Database database(server.conninfo(name));
    if (hostile) set_hostile_text_settings(database, name);
    database.exec(kTable);
    database.exec("CREATE PUBLICATION walpost FOR TABLE outbox WITH (publish = 'insert')");
    for (const auto& column : kPayloadColumns) {
      database.exec("SELECT pg_create_logical_replication_slot('" + name + column +
                    "', 'pgoutput')");
    }
    database.exec(kRows);
  }
  for (const auto& column : kPayloadColumns) {
    const auto result = run_walpost(
        {"run", "--dbname", server.conninfo(name), "--slot", name + column, "--sink", "stdout",
         "--endpos", "now", "--no-http", "--table-field-event-payload", column,
         "--table-field-event-timestamp", "created_at", "--decimal-handling-mode", "string"});
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
    records += column + "\n" + result.stdout_text;
  }
  Database database(server.conninfo(name));
  for (const auto& column : kPayloadColumns) {
    database.exec("SELECT pg_drop_replication_slot('" + name + column + "')");
  }
  return records;
}

// The third row's timestamp is infinite, so its record has the commit time, which differs.
std::string without_commit_times(std::string records) {
  const std::string marker = "\"topic\":\"outbox.event.invoice\"";
  std::string kept;
  std::size_t start = 0;
  while (start < records.size()) {
    const auto end = records.find('\n', start) + 1;
    std::string line = records.substr(start, end - start);
    if (line.find(marker) != std::string::npos) {
      const auto at = line.find("\"timestamp\":");
      EXPECT_NE(at, std::string::npos) << line;
      const auto digits = line.find_first_not_of("0123456789", at + 12);
      line.replace(at, digits - at, "\"timestamp\":0");
    }
    kept += line;
    start = end;
  }
  return kept;
}

class MajorsTest : public ::testing::TestWithParam<int> {
 protected:
  static const std::string& expected() {
    static const std::string records =
        without_commit_times(records_of(PostgresServer::shared(15), false));
    return records;
  }
};

TEST_P(MajorsTest, TheSameRowsGiveTheSameRecords) {
  auto& server = PostgresServer::shared(GetParam());
  EXPECT_EQ(without_commit_times(records_of(server, false)), expected());
}

TEST_P(MajorsTest, SettingsOfDatabaseAndRoleChangeNothing) {
  auto& server = PostgresServer::shared(GetParam());
  EXPECT_EQ(without_commit_times(records_of(server, true)), expected());
}

TEST(MajorsReferenceTest, TheRecordsAreTheOnesThatTheRowsSay) {
  const auto records = records_of(PostgresServer::shared(15), true);
  for (const std::string text :
       {"2024-03-10T07:30:00.000000Z", "\"1730597400000000\"", "\"19756\"", "\"36572706789000\"",
        "12345678901234567890.1230", "1.0E-300", "\"-63517780800000000\"", "\"2932897\"",
        "AP9cQQ==", "\"timestamp\":1730613599123", "\"timestamp\":1,", "[a, NULL, null, x,y]"}) {
    EXPECT_NE(records.find(text), std::string::npos) << text << "\n" << records;
  }
}

INSTANTIATE_TEST_SUITE_P(AllMajors, MajorsTest, ::testing::ValuesIn(kPostgresMajors));

}  // namespace
}  // namespace walpost::test
