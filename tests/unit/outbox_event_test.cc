#include "walpost/outbox_event.h"

#include <gmock/gmock.h>

#include "wire/pgoutput_bytes.h"
#include "wire/thrown.h"

namespace walpost {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using wire::Bytes;

constexpr std::uint32_t kText = 25;
constexpr std::uint32_t kBytea = 17;
constexpr std::uint32_t kInt8 = 20;
constexpr std::uint32_t kInt4 = 23;
constexpr std::uint32_t kTimestamp = 1114;
constexpr std::uint32_t kTimestamptz = 1184;

class OutboxMapperTest : public testing::Test {
 protected:
  using Columns = std::vector<wire::Column>;

  static Columns debezium_columns() {
    return {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"type"}, {"payload"}};
  }
  OutboxMapper::Plan plan(const Columns& columns) {
    const Bytes bytes = wire::relation(1, "public", "outbox", columns);
    return mapper_.plan(std::get<pgoutput::Relation>(pgoutput::decode(bytes.span())));
  }
  // The event of a row; valid until the next call.
  OutboxEvent map(const Columns& columns, const wire::Row& row) {
    return map_bytes(columns, wire::insert(1, row));
  }
  OutboxEvent map_bytes(const Columns& columns, Bytes insert) {
    row_ = std::move(insert);
    const auto message = pgoutput::decode(row_.span());
    plan_ = plan(columns);
    return mapper_.map(plan_, std::get<pgoutput::Insert>(message).new_tuple, Lsn(0xABC));
  }
  std::string refusal(const Columns& columns, const wire::Row& row) {
    const Error error = thrown([&] { return map(columns, row); });
    EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
    EXPECT_FALSE(error.hint().empty());
    return error.what();
  }
  std::string refused_plan(const Columns& columns) {
    const Error error = thrown([&] { return plan(columns); });
    EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
    return std::string(error.what()) + " | " + error.hint();
  }

  OutboxMapper mapper_{OutboxColumns{}};

 private:
  OutboxMapper::Plan plan_;
  Bytes row_;
};

TEST_F(OutboxMapperTest, ReadsDebeziumsTable) {
  const auto event = map(debezium_columns(), {"e1", "invoice", "inv-7", "Issued", R"({"a": 1})"});
  EXPECT_EQ(event.id, "e1");
  EXPECT_EQ(event.key, "inv-7");
  EXPECT_EQ(event.routing_text, "invoice");
  EXPECT_EQ(event.payload, R"({"a": 1})");
  EXPECT_EQ(event.timestamp, std::nullopt);
  EXPECT_FALSE(event.has_infinite_timestamp);
}

TEST_F(OutboxMapperTest, ColumnsAreFoundByNameInAnyOrder) {
  const auto event = map({{"payload"}, {"x"}, {"aggregateid"}, {"id"}, {"aggregatetype"}, {"y"}},
                         {"p", "-", "k", "e1", "r", "-"});
  EXPECT_EQ(event.id, "e1");
  EXPECT_EQ(event.key, "k");
  EXPECT_EQ(event.routing_text, "r");
  EXPECT_EQ(event.payload, "p");
}

TEST_F(OutboxMapperTest, NullsStayNull) {
  const auto event =
      map(debezium_columns(), {std::nullopt, "r", std::nullopt, std::nullopt, std::nullopt});
  EXPECT_EQ(event.id, std::nullopt);
  EXPECT_EQ(event.key, std::nullopt);
  EXPECT_EQ(event.payload, std::nullopt);
}

TEST_F(OutboxMapperTest, EmptyIsNotNull) {
  const auto event = map(debezium_columns(), {"", "", "", "", ""});
  EXPECT_EQ(event.id, "");
  EXPECT_EQ(event.key, "");
  EXPECT_EQ(event.payload, "");
  EXPECT_EQ(event.routing_text, "");
}

TEST_F(OutboxMapperTest, AByteaIsNoRoutingText) {
  EXPECT_THAT(refused_plan({{"id"}, {"aggregatetype", kBytea}, {"aggregateid"}, {"payload"}}),
              AllOf(HasSubstr("no text"), HasSubstr("--route-by-field")));
}

TEST_F(OutboxMapperTest, ATimestamptzRoutesAsDebeziumWritesIt) {
  const auto event = map({{"id"}, {"aggregatetype", kTimestamptz}, {"aggregateid"}, {"payload"}},
                         {"e", "2020-01-01 00:00:00.5+00", "k", "p"});
  EXPECT_EQ(event.routing_text, "2020-01-01T00:00:00.500000Z");
}

TEST_F(OutboxMapperTest, AdditionalFieldsComeInTheOrderOfTheList) {
  mapper_ = OutboxMapper({.additional = {{"b", Placement::kHeader, "x"},
                                         {"a", Placement::kEnvelope, "y"},
                                         {"b", Placement::kEnvelope, "z"}}});
  auto columns = debezium_columns();
  columns.insert(columns.end(), {{"a"}, {"b"}});
  const auto event = map(columns, {"e", "r", "k", "t", "p", "1", std::nullopt});
  EXPECT_THAT(event.additional, testing::ElementsAre(std::nullopt, "1", std::nullopt));
  EXPECT_TRUE(event.has_null);
}

TEST_F(OutboxMapperTest, AMissingAdditionalColumnIsRefusedUnlessIgnored) {
  mapper_ = OutboxMapper({.additional = {{"gone", Placement::kHeader, "gone"}}});
  EXPECT_THAT(refused_plan(debezium_columns()),
              AllOf(HasSubstr("\"gone\""), HasSubstr("--table-fields-additional-placement")));
  mapper_ = OutboxMapper(
      {.additional = {{"gone", Placement::kHeader, "gone"}}, .ignore_missing_additional = true});
  EXPECT_EQ(plan(debezium_columns()).types[ColumnSlot::kAdditional], std::nullopt);
}

TEST_F(OutboxMapperTest, APartitionIsTheLastIntegerColumnOfTheList) {
  mapper_ = OutboxMapper(
      {.additional = {{"p", Placement::kPartition, "p"}, {"q", Placement::kPartition, "q"}}});
  auto columns = debezium_columns();
  columns.insert(columns.end(), {{"p", kInt4}, {"q", kInt4}});
  EXPECT_EQ(map(columns, {"e", "r", "k", "t", "p", "1", "2"}).partition, 2);
  EXPECT_EQ(map(columns, {"e", "r", "k", "t", "p", "1", std::nullopt}).partition, std::nullopt);
  EXPECT_THAT(refusal(columns, {"e", "r", "k", "t", "p", "1", "-1"}), HasSubstr("negative"));
  columns.back().type_oid = kInt8;
  EXPECT_THAT(refused_plan(columns), HasSubstr("not of type integer"));
}

TEST_F(OutboxMapperTest, ASchemaVersionIsLookedAtOnlyWithAnEnvelope) {
  mapper_ = OutboxMapper({.event_schema_version = "v"});
  EXPECT_EQ(plan(debezium_columns()).types[ColumnSlot::kSchemaVersion], std::nullopt);
  mapper_ = OutboxMapper(
      {.event_schema_version = "v", .additional = {{"type", Placement::kEnvelope, "type"}}});
  EXPECT_THAT(refused_plan(debezium_columns()), HasSubstr("no column \"v\""));
  auto columns = debezium_columns();
  columns.push_back({"v", kInt4});
  EXPECT_EQ(map(columns, {"e", "r", "k", "t", "p", "4"}).schema_version, 4);
}

TEST_F(OutboxMapperTest, AMissingColumnIsNamedWithThoseThatAreThere) {
  EXPECT_THAT(
      refused_plan({{"id"}, {"aggregatetype"}, {"key"}, {"payload"}}),
      AllOf(HasSubstr("\"public\".\"outbox\""), HasSubstr("no column \"aggregateid\""),
            HasSubstr("id, aggregatetype, key, payload"), HasSubstr("--table-field-event-key")));
}

TEST_F(OutboxMapperTest, NamesAreExact) {
  EXPECT_THAT(refused_plan({{"ID"}, {"aggregatetype"}, {"aggregateid"}, {"payload"}}),
              HasSubstr("no column \"id\""));
  mapper_ = OutboxMapper({.event_id = "Id", .event_key = "a\"b", .event_payload = " p "});
  const auto event = map({{"Id"}, {"a\"b"}, {" p "}, {"aggregatetype"}}, {"e", "k", "p", "r"});
  EXPECT_EQ(event.key, "k");
  EXPECT_EQ(event.payload, "p");
}

TEST_F(OutboxMapperTest, OneColumnMayHaveSeveralRoles) {
  mapper_ = OutboxMapper(
      {.event_id = "a", .event_key = "a", .event_payload = "a", .route_by_field = "a"});
  const auto event = map({{"a"}}, {"v"});
  EXPECT_EQ(event.id, "v");
  EXPECT_EQ(event.key, "v");
  EXPECT_EQ(event.payload, "v");
  EXPECT_EQ(event.routing_text, "v");
}

TEST_F(OutboxMapperTest, ANullRoutingTextIsRefusedByEventId) {
  EXPECT_THAT(refusal(debezium_columns(), {"e1", std::nullopt, "secret-key", "t", "secret"}),
              AllOf(HasSubstr("0/ABC"), HasSubstr("event e1"), HasSubstr("--route-by-field"),
                    Not(HasSubstr("secret"))));
}

TEST_F(OutboxMapperTest, AnUnchangedToastValueIsNoValue) {
  const Bytes row = Bytes()
                        .character('I')
                        .u32(1)
                        .character('N')
                        .u16(5)
                        .raw("t")
                        .u32(1)
                        .raw("e")
                        .raw("t")
                        .u32(1)
                        .raw("r")
                        .raw("t")
                        .u32(1)
                        .raw("k")
                        .raw("n")
                        .raw("u");
  const Error error = thrown([&] { return map_bytes(debezium_columns(), row); });
  EXPECT_THAT(error.what(), HasSubstr("--table-field-event-payload was not sent"));
}

TEST_F(OutboxMapperTest, ABinaryValueIsRefused) {
  const Bytes row =
      Bytes().character('I').u32(1).character('N').u16(5).raw("b").u32(1).raw("e").raw("nnnn");
  const Error error = thrown([&] { return map_bytes(debezium_columns(), row); });
  EXPECT_THAT(error.what(), HasSubstr("binary form"));
}

TEST_F(OutboxMapperTest, ARowAndItsRelationHaveTheSameColumns) {
  EXPECT_THAT(refusal(debezium_columns(), {"e", "r", "k", "t"}), HasSubstr("4 columns"));
  EXPECT_THAT(refusal(debezium_columns(), {"e", "r", "k", "t", "p", "more"}),
              HasSubstr("6 columns, its Relation message 5"));
  auto wider = debezium_columns();
  wider.push_back({"unused"});
  EXPECT_THAT(refusal(wider, {"e", "r", "k", "t", "p"}), HasSubstr("5 columns"));
}

TEST_F(OutboxMapperTest, ATimestampColumnGivesTheTime) {
  mapper_ = OutboxMapper({.event_timestamp = "at"});
  for (const std::uint32_t type : {kTimestamp, kTimestamptz}) {
    auto columns = debezium_columns();
    columns.push_back({"at", type});
    const auto event = map(columns, {"e", "r", "k", "t", "p", "2000-01-01 00:00:01"});
    EXPECT_EQ(event.timestamp, PgTimestamp(1'000'000));
  }
}

TEST_F(OutboxMapperTest, ANullTimestampIsNone) {
  mapper_ = OutboxMapper({.event_timestamp = "at"});
  auto columns = debezium_columns();
  columns.push_back({"at", kTimestamp});
  const auto event = map(columns, {"e", "r", "k", "t", "p", std::nullopt});
  EXPECT_EQ(event.timestamp, std::nullopt);
  EXPECT_FALSE(event.has_infinite_timestamp);
}

TEST_F(OutboxMapperTest, AnInfiniteTimestampIsNoneAndSaysSo) {
  mapper_ = OutboxMapper({.event_timestamp = "at"});
  auto columns = debezium_columns();
  columns.push_back({"at", kTimestamptz});
  const auto event = map(columns, {"e", "r", "k", "t", "p", "-infinity"});
  EXPECT_EQ(event.timestamp, std::nullopt);
  EXPECT_TRUE(event.has_infinite_timestamp);
}

TEST_F(OutboxMapperTest, ATimestampInAnotherDateStyleIsRefused) {
  mapper_ = OutboxMapper({.event_timestamp = "at"});
  auto columns = debezium_columns();
  columns.push_back({"at", kTimestamp});
  EXPECT_THAT(refusal(columns, {"e", "r", "k", "t", "p", "Sat Jan 01 00:00:00 2000"}),
              AllOf(HasSubstr("ISO form"), Not(HasSubstr("Sat"))));
}

TEST_F(OutboxMapperTest, AColumnOfAnotherTypeIsNoTimestamp) {
  mapper_ = OutboxMapper({.event_timestamp = "at"});
  auto columns = debezium_columns();
  EXPECT_THAT(refused_plan(columns), HasSubstr("no column \"at\""));
  columns.push_back({"at", kText});
  EXPECT_THAT(refused_plan(columns), HasSubstr("neither timestamp nor timestamptz"));
}

TEST(TableName, IsQuotedAsInSql) {
  EXPECT_EQ(to_sql({"public", "outbox"}), R"("public"."outbox")");
  EXPECT_EQ(to_sql({"a.b", "c\"d"}), R"("a.b"."c""d")");
}

}  // namespace
}  // namespace walpost
