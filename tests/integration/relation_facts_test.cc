// What the stream does not carry of a column and the catalog says: NOT NULL, defaults, the labels
// of an enum, what a domain is made of. The same on every major version.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <sstream>

#include "database.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

using ::testing::ElementsAre;

class RelationFactsTest : public ::testing::TestWithParam<int> {
 protected:
  RelationFactsTest()
      : server_(PostgresServer::shared(GetParam())),
        name_(server_.create_database()),
        database_(server_.conninfo(name_)) {
    database_.exec("CREATE TYPE kind AS ENUM ('invoice', 'order')");
    database_.exec("CREATE DOMAIN reference AS varchar(10) NOT NULL");
    database_.exec("CREATE DOMAIN account AS reference");
    database_.exec("CREATE DOMAIN price AS numeric(9, 2)");
    database_.exec(
        "CREATE TABLE outbox (id int PRIMARY KEY, aggregatetype kind, aggregateid account,"
        " payload text DEFAULT 'none', kinds kind[], prices price[])");
    database_.exec("CREATE PUBLICATION walpost FOR TABLE outbox");
    database_.exec("SELECT pg_create_logical_replication_slot('" + name_ + "', 'pgoutput')");
  }

  ~RelationFactsTest() override {
    database_.exec("SELECT pg_drop_replication_slot('" + name_ + "')");
  }

  // "key value" of each record, in their order.
  std::vector<std::string> records(std::vector<std::string> options) {
    std::vector<std::string> arguments = {
        "run", "--dbname", server_.conninfo(name_), "--slot", name_, "--sink", "stdout", "--endpos",
        "now", "--no-http"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto result = run_walpost(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
    std::vector<std::string> found;
    std::istringstream lines(result.stdout_text);
    for (std::string line; std::getline(lines, line);) {
      rapidjson::Document record;
      record.Parse(line.c_str());
      found.push_back(std::string(record["key"].GetString()) + " " + record["value"].GetString());
    }
    return found;
  }

  PostgresServer& server_;
  std::string name_;
  Database database_;
};

TEST_P(RelationFactsTest, DefaultsStandInForNull) {
  database_.exec("INSERT INTO outbox VALUES (1, 'order', 'o-1', NULL, NULL, NULL)");
  database_.exec("INSERT INTO outbox VALUES (2, 'order', 'o-2', 'some', NULL, NULL)");
  EXPECT_THAT(records({}), ElementsAre("o-1 none", "o-2 some"));
}

TEST_P(RelationFactsTest, SchemasSayWhatTheCatalogSays) {
  database_.exec("INSERT INTO outbox VALUES (1, 'order', 'o-1', NULL, '{invoice}', '{1.50}')");
  EXPECT_THAT(
      records({"--value-format", "json-schema", "--topic-prefix", "srv",
               "--table-fields-additional-placement",
               "aggregatetype:envelope:kind,aggregateid:envelope:account,kinds:envelope,prices:"
               "envelope"}),
      ElementsAre(
          R"(o-1 {"schema":{"type":"struct","fields":[)"
          R"({"type":"string","optional":true,"default":"none","field":"payload"},)"
          R"({"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,)"
          R"("parameters":{"allowed":"invoice,order"},"field":"kind"},)"
          R"({"type":"string","optional":false,"field":"account"},)"
          R"({"type":"array","items":{"type":"string","optional":false,)"
          R"("name":"io.debezium.data.Enum","version":1,)"
          R"("parameters":{"allowed":"invoice,order"}},"optional":true,"field":"kinds"},)"
          R"({"type":"array","items":{"type":"bytes","optional":true,)"
          R"("name":"org.apache.kafka.connect.data.Decimal","version":1,)"
          R"("parameters":{"scale":"2","connect.decimal.precision":"9"}},)"
          R"("optional":true,"field":"prices"}],)"
          R"("optional":false,"name":"srv.public.outbox.order.Value"},)"
          R"("payload":{"payload":"none","kind":"order","account":"o-1","kinds":["invoice"],"prices":["AJY="]}})"));
}

TEST_P(RelationFactsTest, ARowOfAnOlderTableIsReadByItsOwnColumns) {
  database_.exec("INSERT INTO outbox VALUES (1, 'order', 'o-1', NULL, NULL, NULL)");
  database_.exec(
      "ALTER TABLE outbox ALTER payload DROP DEFAULT, ALTER payload TYPE int USING 1,"
      " ALTER payload SET NOT NULL");
  database_.exec("INSERT INTO outbox VALUES (2, 'order', 'o-2', 5, NULL, NULL)");
  EXPECT_THAT(records({"--value-format", "json-schema"}),
              ElementsAre(R"(o-1 {"schema":{"type":"string","optional":true},"payload":null})",
                          R"(o-2 {"schema":{"type":"int32","optional":false},"payload":5})"))
      << "the catalog speaks of another column than the first row's";
}

TEST_P(RelationFactsTest, ADomainPlaysTheRolesOfWhatItIsMadeOf) {
  database_.exec("CREATE DOMAIN moment AS timestamp(3)");
  database_.exec("CREATE DOMAIN shard AS int");
  database_.exec("ALTER TABLE outbox ADD at moment, ADD shard shard");
  database_.exec(
      "INSERT INTO outbox (id, aggregatetype, aggregateid, at, shard)"
      " VALUES (1, 'order', 'o-1', '2026-01-02 03:04:05.678', 3)");
  EXPECT_THAT(records({"--table-field-event-timestamp", "at", "--table-fields-additional-placement",
                       "shard:partition"}),
              ElementsAre("o-1 none"));
}

TEST_P(RelationFactsTest, PartitionsUnderTheirOwnNamesAreTakenForTheirTable) {
  database_.exec("DROP TABLE outbox");
  database_.exec(
      "CREATE TABLE outbox (id int, aggregatetype text, aggregateid text, payload text)"
      " PARTITION BY LIST (id)");
  database_.exec("CREATE TABLE outbox_1 PARTITION OF outbox FOR VALUES IN (1)");
  database_.exec("CREATE TABLE orders (LIKE outbox)");
  database_.exec("ALTER PUBLICATION walpost SET TABLE outbox, orders");
  database_.exec("INSERT INTO outbox VALUES (1, 'order', 'o-1', 'first')");
  database_.exec("INSERT INTO orders VALUES (1, 'order', 'o-1', 'none of ours')");
  database_.exec("CREATE TABLE outbox_2 PARTITION OF outbox FOR VALUES IN (2)");
  database_.exec("INSERT INTO outbox VALUES (2, 'order', 'o-2', 'second')");
  EXPECT_THAT(records({}), ElementsAre("o-1 first", "o-2 second"));
}

INSTANTIATE_TEST_SUITE_P(EveryMajor, RelationFactsTest, ::testing::ValuesIn(kPostgresMajors));

}  // namespace
}  // namespace walpost::test
