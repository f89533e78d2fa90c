#include "debezium_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "debezium_report.h"
#include "debezium_table.h"

namespace walpost {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using enum DebeziumVerdict;

// A connector that walpost takes as it stands.
DebeziumSettings plain() {
  return {{"connector.class", "io.debezium.connector.postgresql.PostgresConnector"},
          {"plugin.name", "pgoutput"},
          {"snapshot.mode", "no_data"},
          {"database.hostname", "db"},
          {"database.user", "u"},
          {"database.dbname", "shop"},
          {"topic.prefix", "srv"},
          {"table.include.list", "public.outbox"},
          {"key.converter", "org.apache.kafka.connect.storage.StringConverter"},
          {"value.converter", "org.apache.kafka.connect.storage.StringConverter"},
          {"transforms", "outbox"},
          {"transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter"}};
}

void set(DebeziumSettings& settings, std::string name, std::string text) {
  std::erase_if(settings, [&](const auto& setting) { return setting.first == name; });
  settings.emplace_back(std::move(name), std::move(text));
}

DebeziumConfig with(const DebeziumSettings& more) {
  DebeziumSettings settings = plain();
  for (const auto& [name, text] : more) set(settings, name, text);
  return translate_debezium(settings);
}

DebeziumConfig without(std::string_view name) {
  DebeziumSettings settings = plain();
  std::erase_if(settings, [&](const auto& setting) { return setting.first == name; });
  return translate_debezium(settings);
}

const DebeziumEntry& entry(const DebeziumConfig& config, std::string_view name) {
  const auto found = std::ranges::find(config.entries, name, &DebeziumEntry::name);
  if (found == config.entries.end()) throw std::out_of_range(std::string(name));
  return *found;
}

// The texts that the option has; empty: it is left alone.
std::vector<std::string> texts(const DebeziumConfig& config, std::string_view option) {
  const auto found = std::ranges::find_if(
      config.applied, [&](const auto& applied) { return applied.row->name == option; });
  return found == config.applied.end() ? std::vector<std::string>{} : found->texts;
}

std::string origin(const DebeziumConfig& config, std::string_view option) {
  const auto found = std::ranges::find_if(
      config.applied, [&](const auto& applied) { return applied.row->name == option; });
  return found == config.applied.end() ? "" : found->entry;
}

std::vector<std::string> refused(const DebeziumConfig& config) {
  std::vector<std::string> names;
  for (const DebeziumEntry& other : config.entries) {
    if (other.verdict == kRefused) names.push_back(other.name);
  }
  return names;
}

// ---- Single entries -----------------------------------------------------------------------------

struct Case {
  std::string name;
  std::string value;
  DebeziumVerdict verdict;
  std::string option = {};  // "option=text" of what it becomes
  std::string reason = {};  // a part of it
};

std::vector<Case> cases() {
  const std::string t = "transforms.outbox.";
  const std::string p = "producer.override.";
  return {
      {"slot.name", "orders", kApplied, "slot=orders"},
      {"slot.name", "Orders", kRefused, "", "lower-case"},
      {"publication.name", "p", kApplied, "publication=p"},
      {"topic.prefix", "a b", kRefused, "", "letters"},
      {"database.server.name", "old", kApplied, "topic-prefix=old"},
      {"plugin.name", "wal2json", kRefused, "", "another plug-in"},
      {"plugin.name", " PGOUTPUT ", kNotNeeded},
      {"connector.class", "io.debezium.connector.mysql.MySqlConnector", kRefused},
      {"connector.class", "PostgresConnector", kNotNeeded},
      {"skipped.operations", "u,d,t", kApplied, "skipped-operations=u,d,t"},
      {"skipped.operations", "c", kRefused, "", "every event"},
      {"extended.headers.enabled", "FALSE", kApplied, "extended-headers-enabled=false"},
      {"extended.headers.enabled", "no", kRefused, "", "true or false"},
      {"tombstones.on.delete", "true", kNotNeeded},
      {"heartbeat.interval.ms", "10000", kNotNeeded, "", "confirms positions"},
      {"heartbeat.action.query", "INSERT INTO h VALUES (1)", kNotNeeded},
      {"snapshot.mode", "no_data", kNotNeeded},
      {"snapshot.mode", "Initial", kWarned, "", "never rows that were there before"},
      {"snapshot.mode", "initial_only", kRefused},
      {"snapshot.fetch.size", "1", kNotNeeded},
      {"publication.autocreate.mode", "filtered", kNotNeeded, "", "walpost setup"},
      {"provide.transaction.metadata", "true", kRefused},
      {"provide.transaction.metadata", "false", kNotNeeded},
      {"message.prefix.include.list", "a.*", kRefused},
      {"signal.data.collection", "public.signals", kNotNeeded},
      {"column.mask.with.5.chars", "public.outbox.payload", kRefused},
      {"errors.tolerance", "all", kWarned, "", "--on-undeliverable"},
      {"errors.tolerance", "none", kNotNeeded},
      {"exactly.once.support", "required", kWarned, "", "at least once"},
      {"event.processing.failure.handling.mode", "skip", kRefused},
      {"binary.handling.mode", "HEX", kApplied, "binary-handling-mode=HEX"},
      {"binary.handling.mode", "octal", kRefused, "", "must be one of"},
      {"decimal.handling.mode", "string", kApplied, "decimal-handling-mode=string"},
      {"time.precision.mode", "connect", kApplied, "time-precision-mode=connect"},
      {"money.fraction.digits", "3", kApplied, "money-fraction-digits=3"},
      {"schema.name.adjustment.mode", "avro", kNotNeeded},
      {"field.name.adjustment.mode", "avro", kRefused},
      {"no.such.thing", "s3cret", kWarned, "", "unknown: Debezium would ignore it"},
      {"slot.nam", "s", kWarned, "", "did you mean slot.name?"},
      {"route.by.field", "x", kWarned, "", "transforms.<alias>.route.by.field only"},
      {"database.sslfactory", "x.Y", kWarned},
      {"database.initial.statements", "SET x = 1", kNotNeeded},
      // The router.
      {t + "route.by.field", "kind", kApplied, "route-by-field=kind"},
      {t + "route.by.field", "", kRefused, "", "is empty"},
      {t + "route.topic.regex", " (.*)-(.*) ", kRefused, "", ""},
      {t + "route.topic.replacement", "plain", kApplied, "route-topic-replacement=plain"},
      {t + "route.topic.replacement", "${no}", kRefused, "", ""},
      {t + "route.topic.replacement", "x$", kRefused, "", ""},
      {t + "table.expand.json.payload", "yes", kRefused, "", "true or false"},
      {t + "table.op.invalid.behavior", "Fatal", kApplied, "table-op-invalid-behavior=Fatal"},
      {t + "table.op.invalid.behavior", "stop", kRefused, "", "must be one of"},
      {t + "table.fields.additional.placement", "a:header:b,c:envelope", kApplied,
       "table-fields-additional-placement=a:header:b,c:envelope"},
      {t + "table.fields.additional.placement", "a:body", kRefused},
      {t + "table.fields.additional.placement", "", kRefused},
      {t + "table.fields.additional.placement", "a:envelope:payload", kRefused, "", "payload"},
      {t + "table.field.event.timestamp", "", kRefused},
      {t + "table.field.event.type", "kind", kNotNeeded},
      {t + "table.field.event.payload.id", "agg", kNotNeeded, "", "no longer"},
      {t + "table.field.event.keys", "agg", kWarned, "",
       "did you mean transforms.outbox.table.field.event.key?"},
      {"transforms.unused.type", "org.example.X", kNotNeeded, "", "ignores it"},
      // The producer.
      {p + "acks", "1", kNotNeeded, "", "guarantee"},
      {p + "bootstrap.servers", "k:9092", kApplied, "brokers=k:9092"},
      {p + "compression.type", "lz4", kApplied, "kafka-property=compression.type=lz4"},
      {p + "max.request.size", "2000000", kApplied, "kafka-property=message.max.bytes=2000000"},
      {p + "partitioner.class", "org.apache.kafka.clients.producer.RoundRobinPartitioner",
       kRefused},
      {p + "interceptor.classes", "x.Y", kRefused},
      {p + "ssl.endpoint.identification.algorithm", "", kApplied,
       "kafka-property=ssl.endpoint.identification.algorithm=none"},
      {p + "ssl.truststore.location", "/t.jks", kWarned, "", "PEM"},
      {p + "sasl.jaas.config", "com.example.Module required;", kWarned},
      {p + "compresion.type", "lz4", kWarned, "",
       "did you mean producer.override.compression.type?"},
      // Topics.
      {"topic.creation.default.partitions", "6", kApplied, "topic-partitions=6"},
      {"topic.creation.default.partitions", "-1", kApplied, "topic-partitions=broker"},
      {"topic.creation.default.partitions", "many", kRefused},
      {"topic.creation.default.replication.factor", "3", kApplied, "topic-replication-factor=3"},
      {"topic.creation.groups", "compacted", kRefused},
      {"topic.creation.groups", "", kNotNeeded},
      // Converters.
      {"key.converter", "org.apache.kafka.connect.json.JsonConverter", kApplied,
       "key-format=json-schema"},
      {"key.converter", "JsonConverter", kApplied, "key-format=json-schema"},
      {"value.converter", "io.confluent.connect.avro.AvroConverter", kRefused, "", "other bytes"},
      {"value.converter", "io.debezium.converters.CloudEventsConverter", kRefused},
      {"value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter", kApplied,
       "value-format=raw", "bytea"},
      {"value.converter", "io.debezium.converters.BinaryDataConverter", kApplied,
       "value-format=raw"},
      {"header.converter", "org.apache.kafka.connect.storage.StringConverter", kApplied,
       "header-format=raw"},
      {"header.converter", "org.apache.kafka.connect.storage.SimpleHeaderConverter", kApplied,
       "header-format=simple"},
      {"header.converter", "io.debezium.converters.BinaryDataConverter", kRefused},
      {"key.converter", "org.apache.kafka.connect.storage.SimpleHeaderConverter", kRefused},
      {"value.converter.decimal.format", "NUMERIC", kRefused},
      {"value.converter.schemas.cache.size", "10", kNotNeeded},
      {"value.converter.nosuch", "10", kWarned},
  };
}

TEST(DebeziumConfigTest, EachEntryHasItsVerdict) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name + "=" + c.value);
    const DebeziumConfig config = with({{c.name, c.value}});
    const DebeziumEntry& noted = entry(config, c.name);
    EXPECT_EQ(verdict_name(noted.verdict), verdict_name(c.verdict)) << noted.reason;
    EXPECT_THAT(noted.reason, HasSubstr(c.reason));
    EXPECT_FALSE(noted.is_absent);
    if (!c.option.empty()) {
      const auto equals = c.option.find('=');
      EXPECT_EQ(noted.option, c.option.substr(0, equals));
      EXPECT_THAT(texts(config, noted.option), ElementsAre(c.option.substr(equals + 1)));
    }
    // And no other.
    EXPECT_EQ(refused(config).size(), c.verdict == kRefused ? 1U : 0U);
  }
}

// ---- What belongs together ----------------------------------------------------------------------

TEST(DebeziumConfigTest, APlainConnectorIsTaken) {
  const DebeziumConfig config = translate_debezium(plain());
  EXPECT_THAT(refused(config), IsEmpty());
  EXPECT_THAT(texts(config, "dbname"), ElementsAre("host=db dbname=shop user=u"));
  EXPECT_EQ(origin(config, "dbname"), "database.*");
  EXPECT_THAT(texts(config, "table"), ElementsAre("public.outbox"));
  EXPECT_THAT(texts(config, "key-format"), ElementsAre("raw"));
}

TEST(DebeziumConfigTest, DebeziumsDefaultsCountWhereTheFileIsSilent) {
  const DebeziumConfig config = translate_debezium(plain());
  EXPECT_THAT(texts(config, "slot"), ElementsAre("debezium"));
  EXPECT_THAT(texts(config, "publication"), ElementsAre("dbz_publication"));
  EXPECT_THAT(texts(config, "extended-headers-enabled"), ElementsAre("true"));
  EXPECT_THAT(texts(config, "record-timestamp"), ElementsAre("now"));
  EXPECT_TRUE(entry(config, "slot.name").is_absent);
  EXPECT_EQ(entry(config, "slot.name").value, "debezium");
}

TEST(DebeziumConfigTest, WhatDebeziumOrWalpostCannotDoWithoutIsMissed) {
  for (const char* name :
       {"connector.class", "database.hostname", "database.dbname", "database.user", "topic.prefix",
        "table.include.list", "key.converter", "value.converter", "transforms"}) {
    EXPECT_THAT(refused(without(name)), ElementsAre(name));
  }
  EXPECT_EQ(entry(without("plugin.name"), "plugin.name").verdict, kWarned);
  EXPECT_EQ(entry(without("snapshot.mode"), "snapshot.mode").verdict, kWarned);
}

TEST(DebeziumConfigTest, TheConnectionIsOneConnectionString) {
  const DebeziumConfig config = with({{"database.port", "6432"},
                                      {"database.password", "it's \\"},
                                      {"database.sslmode", "Verify-Full"},
                                      {"database.sslrootcert", "/ca.pem"},
                                      {"database.tcpKeepAlive", "false"}});
  EXPECT_THAT(texts(config, "dbname"),
              ElementsAre("host=db port=6432 dbname=shop user=u password='it\\'s \\\\' "
                          "sslmode=verify-full sslrootcert=/ca.pem keepalives=0"));
  EXPECT_EQ(entry(config, "database.password").value, "********");
  EXPECT_THAT(refused(with({{"database.port", "x"}})), ElementsAre("database.port"));
  EXPECT_THAT(refused(with({{"database.sslmode", "on"}})), ElementsAre("database.sslmode"));
}

TEST(DebeziumConfigTest, NoSecretIsShown) {
  const DebeziumConfig config =
      with({{"database.password", "s3cret"},
            {"database.sslpassword", "s3cret"},
            {"producer.override.sasl.jaas.config",
             "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"a\" "
             "password=\"s3cret\";"},
            {"producer.override.ssl.keystore.key", "s3cret"},
            {"unknown.thing", "s3cret"}});
  EXPECT_THAT(debezium_text(config.entries), Not(HasSubstr("s3cret")));
  EXPECT_THAT(debezium_comments(config.entries), Not(HasSubstr("s3cret")));
  EXPECT_THAT(texts(config, "kafka-property"),
              ElementsAre("sasl.username=a", "sasl.password=s3cret", "ssl.key.pem=s3cret"));
}

TEST(DebeziumConfigTest, ConfigProvidersCannotBeAsked) {
  const DebeziumConfig config =
      with({{"database.password", "${file:/opt/secrets:password}"}, {"slot.name", "${env:SLOT}"}});
  EXPECT_EQ(entry(config, "database.password").verdict, kWarned);
  EXPECT_THAT(entry(config, "database.password").reason, HasSubstr("PGPASSWORD"));
  EXPECT_THAT(texts(config, "dbname"), ElementsAre("host=db dbname=shop user=u"));
  EXPECT_THAT(refused(config), ElementsAre("slot.name"));
  EXPECT_THAT(refused(with({{"transforms.outbox.route.topic.replacement", "${routedByValue}"}})),
              IsEmpty());
}

TEST(DebeziumConfigTest, TablesAreNamesAndNoPatterns) {
  const auto tables = [](const char* list) {
    return texts(with({{"table.include.list", list}}), "table");
  };
  EXPECT_THAT(tables("public.outbox"), ElementsAre("public.outbox"));
  EXPECT_THAT(tables(" public\\.outbox , ^app\\.out\\-box$,"),
              ElementsAre("public.outbox", "app.out-box"));
  for (const char* pattern : {"public.outbox_.*", "outbox", ".*\\.outbox", "a.b.c", "public.(a|b)",
                              "public\\.outbox\\d", "public.outbox\\", "public.", ""}) {
    EXPECT_THAT(refused(with({{"table.include.list", pattern}})), ElementsAre("table.include.list"))
        << pattern;
  }
}

TEST(DebeziumConfigTest, SchemasOfJsonConverterAreOnUnlessTurnedOff) {
  const std::string json = "org.apache.kafka.connect.json.JsonConverter";
  const DebeziumConfig off =
      with({{"value.converter", json}, {"value.converter.schemas.enable", "False"}});
  EXPECT_THAT(texts(off, "value-format"), ElementsAre("json"));
  EXPECT_EQ(entry(off, "value.converter.schemas.enable").verdict, kApplied);
  EXPECT_THAT(refused(with({{"value.converter", json}, {"value.converter.schemas.enable", "no"}})),
              ElementsAre("value.converter"));
  // What only schemas show matters now.
  EXPECT_THAT(refused(with({{"value.converter", json}, {"schema.name.adjustment.mode", "avro"}})),
              ElementsAre("schema.name.adjustment.mode"));
}

TEST(DebeziumConfigTest, ADelegateCountsWhereTheValueIsNotBytes) {
  const std::string t = "transforms.outbox.";
  const DebeziumSettings base{
      {"value.converter", "io.debezium.converters.BinaryDataConverter"},
      {"value.converter.delegate.converter.type", "org.apache.kafka.connect.json.JsonConverter"},
      {"value.converter.delegate.converter.type.schemas.enable", "false"}};
  EXPECT_THAT(texts(with(base), "value-format"), ElementsAre("raw"));
  DebeziumSettings envelope = base;
  envelope.emplace_back(t + "table.fields.additional.placement", "type:envelope");
  EXPECT_THAT(texts(with(envelope), "value-format"), ElementsAre("json"));
  DebeziumSettings expanded = base;
  expanded.emplace_back(t + "table.expand.json.payload", "true");
  EXPECT_THAT(texts(with(expanded), "value-format"), ElementsAre("json"));
  EXPECT_THAT(refused(with({base[0], envelope.back()})), ElementsAre("value.converter"));
  EXPECT_THAT(refused(with({base[0], {base[1].first, "x.Avro"}})), ElementsAre("value.converter"));
  EXPECT_THAT(texts(with({{"value.converter", "io.debezium.converters.ByteArrayConverter"},
                          base[1],
                          base[2]}),
                    "value-format"),
              ElementsAre("json"));
}

TEST(DebeziumConfigTest, OtherTransformationsAreRefusedWithTheirPlace) {
  const DebeziumConfig config = with({{"transforms", "unwrap, outbox,rename"},
                                      {"transforms.unwrap.type", "org.example.Unwrap"},
                                      {"transforms.unwrap.x", "1"},
                                      {"transforms.rename.type", "org.example.Rename"}});
  EXPECT_THAT(refused(config), ElementsAre("transforms.unwrap.type", "transforms.rename.type"));
  EXPECT_THAT(entry(config, "transforms.unwrap.type").reason,
              HasSubstr("Unwrap runs before the router"));
  EXPECT_THAT(entry(config, "transforms.rename.type").reason, HasSubstr("after the router"));
  EXPECT_EQ(entry(config, "transforms.unwrap.x").verdict, kNotNeeded);
}

TEST(DebeziumConfigTest, WithoutTheRouterThereIsNothingForWalpost) {
  EXPECT_THAT(refused(with({{"transforms.outbox.type", "org.example.X"}})),
              ElementsAre("transforms"));
}

TEST(DebeziumConfigTest, APredicateMustHoldForEveryTable) {
  const std::string matches = "org.apache.kafka.connect.transforms.predicates.TopicNameMatches";
  const auto predicate = [&](const std::string& type, const std::string& pattern,
                             const std::string& negate = "false") {
    return with({{"transforms.outbox.predicate", "isOutbox"},
                 {"transforms.outbox.negate", negate},
                 {"predicates", "isOutbox"},
                 {"predicates.isOutbox.type", type},
                 {"predicates.isOutbox.pattern", pattern}});
  };
  EXPECT_THAT(refused(predicate(matches, "srv\\.public\\.outbox")), IsEmpty());
  EXPECT_THAT(refused(predicate(matches, ".*outbox")), IsEmpty());
  EXPECT_THAT(refused(predicate(matches, "outbox")), ElementsAre("transforms.outbox.predicate"));
  EXPECT_THAT(refused(predicate(matches, ".*outbox", "true")),
              ElementsAre("transforms.outbox.predicate"));
  EXPECT_THAT(refused(predicate(matches, "__debezium-heartbeat.*", "true")), IsEmpty());
  EXPECT_THAT(refused(predicate(matches, "(")), ElementsAre("transforms.outbox.predicate"));
  EXPECT_THAT(refused(predicate("x.RecordIsTombstone", "", "true")), IsEmpty());
  EXPECT_THAT(refused(predicate("x.HasHeaderKey", "")), ElementsAre("transforms.outbox.predicate"));
}

TEST(DebeziumConfigTest, TopicsAreMadeAsTheDefaultGroupSays) {
  const DebeziumConfig config = with({{"topic.creation.default.replication.factor", "3"},
                                      {"topic.creation.default.partitions", "12"},
                                      {"topic.creation.default.cleanup.policy", "compact"},
                                      {"topic.creation.default.retention.ms", "1000"}});
  EXPECT_THAT(texts(config, "topic-creation"), ElementsAre("create"));
  EXPECT_THAT(texts(config, "topic-partitions"), ElementsAre("12"));
  EXPECT_THAT(texts(config, "topic-replication-factor"), ElementsAre("3"));
  EXPECT_THAT(texts(config, "topic-config"),
              ElementsAre("cleanup.policy=compact", "retention.ms=1000"));
  EXPECT_EQ(entry(with({{"topic.creation.default.cleanup.policy", "compact"}}),
                  "topic.creation.default.cleanup.policy")
                .verdict,
            kNotNeeded);
}

TEST(DebeziumConfigTest, KeyStoresThatLibrdkafkaReads) {
  const std::string p = "producer.override.ssl.";
  const DebeziumConfig config = with({{p + "keystore.location", "/k.p12"},
                                      {p + "keystore.type", "PKCS12"},
                                      {p + "keystore.password", "x"},
                                      {p + "truststore.location", "/ca.pem"},
                                      {p + "truststore.type", "PEM"}});
  EXPECT_THAT(texts(config, "kafka-property"),
              ElementsAre("ssl.ca.location=/ca.pem", "ssl.keystore.location=/k.p12",
                          "ssl.keystore.password=x"));
  EXPECT_EQ(origin(config, "kafka-property"), "producer.override.ssl.*");
}

// ---- The table ----------------------------------------------------------------------------------

TEST(DebeziumTableTest, NamesAreUniqueAndOptionsExist) {
  std::set<std::pair<DebeziumScope, std::string_view>> names;
  for (const DebeziumRow& row : debezium_table()) {
    EXPECT_TRUE(names.emplace(row.scope, row.name).second) << row.name;
    EXPECT_TRUE(row.option.empty() || find_option(row.option) != nullptr) << row.name;
    const bool says_nothing = row.option.empty() && row.reason.empty();
    EXPECT_FALSE(says_nothing) << row.name;
    EXPECT_FALSE(row.reason.ends_with('.')) << row.name;
  }
}

TEST(DebeziumTableTest, TheLongestNameThatFitsCounts) {
  const auto find = [](std::string_view name) {
    return find_debezium_row(DebeziumScope::kConnector, name)->name;
  };
  EXPECT_EQ(find("topic.creation.default.partitions"), "topic.creation.default.partitions");
  EXPECT_EQ(find("topic.creation.default.x"), "topic.creation.default.*");
  EXPECT_EQ(find("topic.creation.x.y"), "topic.creation.*");
  EXPECT_EQ(find_debezium_row(DebeziumScope::kConnector, "topic"), nullptr);
}

// A value for each name, so that each row has been through the translation.
TEST(DebeziumTableTest, EveryRowIsNoted) {
  for (const DebeziumRow& row : debezium_table()) {
    std::string name(row.name);
    if (name.ends_with('*')) name.back() = 'x';
    if (row.scope == DebeziumScope::kRouter) name = "transforms.outbox." + name;
    if (row.scope == DebeziumScope::kConverter) name = "value.converter." + name;
    if (row.scope == DebeziumScope::kProducer) name = "producer.override." + name;
    for (const char* value : {"", "x", "true", "${file:a:b}"}) {
      SCOPED_TRACE(name + "=" + value);
      EXPECT_NO_THROW(static_cast<void>(with({{name, value}})));
    }
  }
}

TEST(DebeziumTableTest, PageInTheTreeIsUpToDate) {
  std::ifstream file(WALPOST_SOURCE_DIR "/docs/DEBEZIUM-ENTRIES.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), debezium_page())
      << "docs/DEBEZIUM-ENTRIES.md is stale: walpost debezium-page > docs/DEBEZIUM-ENTRIES.md";
}

// Every option of Debezium's own names is reached by an entry.
TEST(DebeziumTableTest, EveryOptionThatFollowsDebeziumIsReached) {
  std::set<std::string_view> reached;
  for (const DebeziumRow& row : debezium_table()) reached.insert(row.option);
  const std::set<std::string_view> own = {"position-headers", "headers-from",
                                          "trace-context-headers", "record-timestamp"};
  for (const OptionRow& row : option_table()) {
    if (row.group != OptionGroup::kRouting || own.contains(row.name)) continue;
    EXPECT_TRUE(reached.contains(row.name)) << row.name;
  }
}

}  // namespace
}  // namespace walpost
