#include "walpost/router.h"

#include <gmock/gmock.h>

#include <array>

#include "wire/pgoutput_bytes.h"
#include "wire/thrown.h"

namespace walpost {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr PgTimestamp kCommitTime(1'000'000);
constexpr PgTimestamp kNow(2'000'000);
constexpr std::int64_t kEpochMs = 946'684'800'000;

OutboxEvent event_of(std::string_view routing_text) {
  OutboxEvent event;
  event.routing_text = routing_text;
  return event;
}

OutboxEvent invoice() {
  OutboxEvent event = event_of("invoice");
  event.id = "e1";
  event.key = "inv-7";
  event.payload = "{}";
  return event;
}

class RouterTest : public testing::Test {
 protected:
  using Columns = std::vector<wire::Column>;

  static Columns debezium_columns() {
    return {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"type"}, {"payload"}};
  }

  void use(const RouterOptions& options, const OutboxColumns& columns = {},
           const Columns& table = debezium_columns(), std::span<const ColumnFacts> facts = {}) {
    router_ = Router(options, columns);
    const wire::Bytes bytes = wire::relation(1, "public", "outbox", table);
    columns_ = OutboxMapper(columns).plan(
        std::get<pgoutput::Relation>(pgoutput::decode(bytes.span())), facts);
    plan_ = router_.plan(columns_);
  }

  Record route(const OutboxEvent& event) {
    if (!plan_) use({});
    return router_.route(*plan_, columns_, event,
                         {.lsn = Lsn(0xABC),
                          .commit_lsn = Lsn(0x100),
                          .commit_time = kCommitTime,
                          .xid = Xid{7},
                          .ordinal = 2},
                         kNow);
  }

  Router router_{RouterOptions{}, OutboxColumns{}};
  OutboxMapper::Plan columns_;
  std::optional<Router::Plan> plan_;
};

TEST_F(RouterTest, FollowsDebeziumsDefaults) {
  const Record record = route(invoice());
  EXPECT_EQ(record.topic, "outbox.event.invoice");
  EXPECT_EQ(record.partition, std::nullopt);
  EXPECT_EQ(record.key, "inv-7");
  EXPECT_EQ(record.value, "{}");
  ASSERT_EQ(record.headers.size(), 1u);
  EXPECT_EQ(record.headers[0].name, "id");
  EXPECT_EQ(record.headers[0].value, "e1");
  EXPECT_EQ(record.event_id, "e1");
}

TEST_F(RouterTest, NullsStayNull) {
  const Record record = route(event_of("r"));
  EXPECT_EQ(record.key, std::nullopt);
  EXPECT_EQ(record.value, std::nullopt);
  ASSERT_EQ(record.headers.size(), 1u) << "a header with a null value";
  EXPECT_EQ(record.headers[0].value, std::nullopt);
  EXPECT_EQ(record.event_id, "");
}

TEST_F(RouterTest, TheRecordsTimeIsTheCommits) {
  EXPECT_EQ(route(invoice()).timestamp_ms, kEpochMs + 1'000);
}

TEST_F(RouterTest, OrTheTimeOfProcessing) {
  use({.record_timestamp = RecordTimestamp::kNow});
  EXPECT_EQ(route(invoice()).timestamp_ms, kEpochMs + 2'000);
}

TEST_F(RouterTest, ATimestampColumnComesFirst) {
  OutboxEvent event = invoice();
  event.timestamp = PgTimestamp(-1'500);
  EXPECT_EQ(route(event).timestamp_ms, kEpochMs - 2) << "rounded towards 1970";
  event.timestamp = std::nullopt;
  event.has_infinite_timestamp = true;
  EXPECT_EQ(route(event).timestamp_ms, kEpochMs + 1'000);
}

TEST_F(RouterTest, RegexAndReplacementDecideTheTopic) {
  use({.route_topic_regex = "inv(.*)", .route_topic_replacement = "x.$1"});
  EXPECT_EQ(route(invoice()).topic, "x.oice");
  EXPECT_EQ(route(event_of("refund")).topic, "refund");
}

TEST_F(RouterTest, TopicsDoNotMixHoweverManyThereAre) {
  const std::size_t count = Router::kMaxRememberedTopics + 10;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string text = std::to_string(i);
      ASSERT_EQ(route(event_of(text)).topic, "outbox.event." + text);
    }
  }
}

constexpr std::uint32_t kBytea = 17;
constexpr std::uint32_t kInt4 = 23;
constexpr std::uint32_t kTimestamp = 1114;

TEST_F(RouterTest, AByteaIsItsBytes) {
  use({}, {}, {{"id"}, {"aggregatetype"}, {"aggregateid", kBytea}, {"payload", kBytea}});
  OutboxEvent event = invoice();
  event.key = "\\x6b00";
  event.payload = "\\x00ff10";
  const Record record = route(event);
  EXPECT_EQ(record.key, std::string_view("k\0", 2));
  EXPECT_EQ(record.value, std::string_view("\x00\xff\x10", 3));
  event.payload = "\\x";
  EXPECT_EQ(route(event).value, "");
}

TEST_F(RouterTest, AByteaInEscapeFormIsRefused) {
  use({}, {}, {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"payload", kBytea}});
  for (const char* value : {"abc", "", "\\x0", "\\x0g", "\\000", "\\xAB"}) {
    OutboxEvent event = invoice();
    event.payload = value;
    const Error error = thrown([&] { return route(event); });
    EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("0/ABC"), HasSubstr("not bytea in hex form")));
  }
}

TEST_F(RouterTest, AnEventOf1970OrBeforeHasNoRecordTime) {
  use({}, {.event_timestamp = "at"},
      {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"payload"}, {"at", kTimestamp}});
  OutboxEvent event = invoice();
  event.timestamp = PgTimestamp(-kEpochMs * 1000);
  EXPECT_THAT(thrown([&] { return route(event); }).what(),
              AllOf(HasSubstr("--table-field-event-timestamp"), HasSubstr("1970")));
  event.timestamp = PgTimestamp(-kEpochMs * 1000 + 1000);
  EXPECT_EQ(route(event).timestamp_ms, 1);
}

TEST_F(RouterTest, AnEmptyPayloadIsATombstoneOnRequest) {
  OutboxEvent event = invoice();
  for (const char* payload : {"", " \n\t"}) {
    event.payload = payload;
    use({});
    EXPECT_EQ(route(event).value, payload);
    use({.tombstone_on_empty_payload = true});
    EXPECT_EQ(route(event).value, std::nullopt);
  }
  event.payload = "\u00A0";
  EXPECT_EQ(route(event).value, "\u00A0") << "no blank to Java's trim()";
  event.payload = std::nullopt;
  use({.value_format = FieldFormat::kJson});
  EXPECT_EQ(route(event).value, "null");
  use({.value_format = FieldFormat::kJson, .tombstone_on_empty_payload = true});
  EXPECT_EQ(route(event).value, std::nullopt);
}

TEST_F(RouterTest, ADefaultStandsInForNull) {
  const std::vector<ColumnFacts> facts = {{.attname = "payload",
                                           .atttypid = Oid{25},
                                           .default_expression = "'{}'::text",
                                           .type = {.oid = Oid{25}, .typname = "text"}}};
  use({.tombstone_on_empty_payload = true}, {}, debezium_columns(), facts);
  OutboxEvent event = invoice();
  event.payload = std::nullopt;
  EXPECT_EQ(route(event).value, "{}");
}

TEST_F(RouterTest, KeyAndValueAsJson) {
  use({.key_format = FieldFormat::kJson, .value_format = FieldFormat::kJsonSchema});
  const Record record = route(invoice());
  EXPECT_EQ(record.key, R"("inv-7")");
  EXPECT_EQ(record.value, R"({"schema":{"type":"string","optional":true},"payload":"{}"})");
}

TEST_F(RouterTest, AnEnvelopeHoldsThePayloadAndTheListedColumns) {
  const OutboxColumns columns = {.additional = {{"type", Placement::kEnvelope, "eventType"},
                                                {"n", Placement::kEnvelope, "n"}}};
  auto table = debezium_columns();
  table.push_back({"n", kInt4});
  use({.value_format = FieldFormat::kJson}, columns, table);
  OutboxEvent event = invoice();
  const std::vector<OutboxEvent::Text> additional = {"Issued", "5"};
  event.additional = additional;
  EXPECT_EQ(route(event).value, R"({"payload":"{}","eventType":"Issued","n":5})");
  use({.value_format = FieldFormat::kJsonSchema, .topic_prefix = "srv"}, columns, table);
  event.schema_version = 4;
  EXPECT_EQ(route(event).value, R"({"schema":{"type":"struct","fields":[)"
                                R"({"type":"string","optional":true,"field":"payload"},)"
                                R"({"type":"string","optional":true,"field":"eventType"},)"
                                R"({"type":"int32","optional":true,"field":"n"}],"optional":false,)"
                                R"("name":"srv.public.outbox.invoice.Value","version":4},)"
                                R"("payload":{"payload":"{}","eventType":"Issued","n":5}})");
}

TEST_F(RouterTest, ExpandedJsonIsJson) {
  OutboxEvent event = invoice();
  event.payload = R"({"b": 1, "a": null})";
  use({.value_format = FieldFormat::kJson, .expansion = JsonExpansion{}});
  EXPECT_EQ(route(event).value, R"({"b":1})");
  event.payload = "no JSON";
  EXPECT_EQ(route(event).value, R"("no JSON")");
}

TEST_F(RouterTest, HeadersComeInDebeziumsOrder) {
  auto table = debezium_columns();
  table.insert(table.end(), {{"n", kInt4}, {"headers", 3802}, {"trace"}});
  use({.extended_headers_run_id = "run", .position_headers = true},
      {.additional = {{"n", Placement::kHeader, "id"}, {"type", Placement::kHeader, "type"}},
       .tracing_span_context = "trace",
       .headers_from = "headers"},
      table);
  OutboxEvent event = invoice();
  const std::vector<OutboxEvent::Text> additional = {"5", std::nullopt};
  event.additional = additional;
  event.headers_from = R"({"a": "x", "b": [1, "y"], "c": null})";
  event.tracing_span_context = "#comment\ntraceparent=00-1-2-01\nother=1\n";
  std::vector<std::pair<std::string_view, std::optional<std::string_view>>> headers;
  for (const Header& header : route(event).headers) headers.emplace_back(header.name, header.value);
  using Pair = std::pair<std::string_view, std::optional<std::string_view>>;
  EXPECT_THAT(
      headers,
      testing::ElementsAre(
          Pair{"__debezium.context.connectorLogicalName", ""},
          Pair{"__debezium.context.taskId", "0"},
          Pair{"__debezium.context.connectorName", "postgresql"},
          Pair{"__debezium.context.runId", "run"}, Pair{"traceparent", "00-1-2-01"},
          Pair{"id", "e1"}, Pair{"id", "5"}, Pair{"type", std::nullopt}, Pair{"a", "x"},
          Pair{"b", R"([1,"y"])"}, Pair{"c", std::nullopt}, Pair{"walpost.commit.lsn", "0/100"},
          Pair{"walpost.transaction.id", "7"}, Pair{"walpost.transaction.ordinal", "2"}));
}

TEST_F(RouterTest, OptionsThatCannotBeUsedAreRefused) {
  EXPECT_EQ(thrown([] { return Router({.route_topic_regex = "("}, {}); }).exit_code(),
            ExitCode::kUsage);
  EXPECT_EQ(thrown([] { return Router({.route_topic_replacement = "$9"}, {}); }).exit_code(),
            ExitCode::kUsage);
}

TEST_F(RouterTest, AValueThatDoesNotFitIsNamedByItsOwnColumn) {
  constexpr std::uint32_t kNumeric = 1700;
  OutboxColumns columns;
  columns.headers_from = "members";
  for (const Placement placement : {Placement::kHeader, Placement::kEnvelope}) {
    for (const FieldFormat format : {FieldFormat::kJson, FieldFormat::kJsonSchema}) {
      columns.additional = {{"fine", placement, "fine"}, {"amount", placement, "a"}};
      use({.value_format = format, .header_format = format}, columns,
          {{"id"},
           {"aggregatetype"},
           {"aggregateid"},
           {"payload"},
           {"members"},
           {"fine", kNumeric},
           {"amount", kNumeric}});
      std::array<OutboxEvent::Text, 2> additional = {"1", "NaN"};
      OutboxEvent event = invoice();
      event.additional = additional;
      EXPECT_THAT(thrown([&] { return route(event); }).what(),
                  HasSubstr("--table-fields-additional-placement, \"amount\", holds NaN"));
      additional[1] = "2";
      event.headers_from = "[]";
      EXPECT_THAT(thrown([&] { return route(event); }).what(),
                  HasSubstr("the column of --headers-from is not a JSON object"));
    }
  }
}

}  // namespace
}  // namespace walpost
