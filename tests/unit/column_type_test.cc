#include "walpost/column_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "column_type_fixture.h"

// Expected values are those of Debezium 3.6.1 over PostgreSQL 15, but where a test says otherwise.

namespace walpost {
namespace {

using namespace column_type_fixture;
using testing::HasSubstr;

TEST(ColumnType, TextFamilyIsTheTextItself) {
  for (const Type type : {kText, kVarchar, kBpchar5, kChar, kInet, kCidr, kMacaddr, kMacaddr8,
                          kInt4Range, Type{3906}, kTsRange, Type{3910}, Type{3912}, Type{3926}}) {
    EXPECT_EQ(made(type, "hé\"'x  "), "string?: 'hé\"'x  '") << type.oid;
    EXPECT_TRUE(make(type).is_plain_text()) << type.oid;
    EXPECT_FALSE(make(type).is_plain_bytes()) << type.oid;
  }
  EXPECT_EQ(made(kText, ""), "string?: ''");
}

TEST(ColumnType, NameIsTextWhereDebeziumGivesNull) { EXPECT_EQ(made(kName, "n"), "string?: 'n'"); }

TEST(ColumnType, TextsWithASchemaName) {
  EXPECT_EQ(made(kUuid, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
            "string? io.debezium.data.Uuid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'");
  EXPECT_EQ(made(kJson, R"({"a" :1})"), R"(string? io.debezium.data.Json: '{"a" :1}')");
  EXPECT_EQ(made(kJsonb, R"({"a": 1})"), R"(string? io.debezium.data.Json: '{"a": 1}')");
  EXPECT_EQ(made(kXml, "<a/>"), "string? io.debezium.data.Xml: '<a/>'");
  EXPECT_EQ(made(kTsvector, "'a':1 'b'"), "string? io.debezium.data.Tsvector: ''a':1 'b''");
  for (const Type type : {kUuid, kJson, kJsonb, kXml, kTsvector}) {
    EXPECT_TRUE(make(type).is_plain_text()) << type.oid;
  }
}

TEST(ColumnType, ByteaInEachMode) {
  EXPECT_EQ(made(kBytea, "\\x00ff10"), "bytes?: 0x00ff10");
  EXPECT_EQ(made(kBytea, "\\x"), "bytes?: 0x");
  EXPECT_TRUE(make(kBytea).is_plain_bytes());
  using enum BinaryHandlingMode;
  EXPECT_EQ(made(kBytea, "\\x00ff10fb", with(kBase64)), "string?: 'AP8Q+w=='");
  EXPECT_EQ(made(kBytea, "\\x00ff10fb", with(kBase64UrlSafe)), "string?: 'AP8Q-w=='");
  EXPECT_EQ(made(kBytea, "\\xffffff", with(kBase64UrlSafe)), "string?: '____'");
  EXPECT_EQ(made(kBytea, "\\x00FF10", with(kHex)), "string?: '00ff10'");
  EXPECT_FALSE(make(kBytea, with(kHex)).is_plain_bytes());
  EXPECT_FALSE(make(kBytea, with(kHex)).is_plain_text());
}

TEST(ColumnType, ByteaOfAnotherOutputIsRefused) {
  for (const auto* text : {"abc", "", "\\x0", "\\x0g", "\\000"}) {
    EXPECT_THAT(refusal(make(kBytea), text), HasSubstr("bytea")) << text;
  }
}

TEST(ColumnType, BooleanAndOneBit) {
  EXPECT_EQ(made(kBool, "t"), "boolean?: true");
  EXPECT_EQ(made(kBool, "f"), "boolean?: false");
  EXPECT_THAT(refusal(make(kBool), "true"), HasSubstr("boolean"));
  EXPECT_EQ(made(kBit1, "1"), "boolean?: true");
  EXPECT_EQ(made({1560, -1}, "0"), "boolean?: false");
  EXPECT_EQ(made({1562, 1}, "1"), "boolean?: true");
  EXPECT_THAT(refusal(make({1562, 1}), ""), HasSubstr("no bit"));
}

TEST(ColumnType, BitsAreLittleEndianUpToTheHighestSetBit) {
  const std::string schema = "bytes? io.debezium.data.Bits {length=10}: ";
  EXPECT_EQ(made(kBit10, "1000000001"), schema + "0x0102");
  EXPECT_EQ(made(kBit10, "0000000001"), schema + "0x01");
  EXPECT_EQ(made(kBit10, "0000000000"), schema + "0x");
  EXPECT_EQ(made(kVarbit, "101"), "bytes? io.debezium.data.Bits {length=2147483647}: 0x05");
  EXPECT_EQ(made({1562, 20}, ""), "bytes? io.debezium.data.Bits {length=20}: 0x");
  EXPECT_EQ(made({1560, 64}, std::string(64, '1')),
            "bytes? io.debezium.data.Bits {length=64}: 0xffffffffffffffff");
}

TEST(ColumnType, PointHasItsWellKnownBinary) {
  const std::string schema =
      "struct?<x double, y double, wkb bytes?, srid int32?> io.debezium.data.geometry.Point "
      "\"Geometry (POINT)\": ";
  EXPECT_EQ(made(kPoint, "(1.5,-2)"),
            schema + "(1.5, -2.0, 0x0101000000000000000000f83f00000000000000c0, null)");
  EXPECT_EQ(made(kPoint, "(1e+300,NaN)"),
            schema + "(1e+300, nan, 0x01010000009c7500883ce4377e000000000000f87f, null)");
  for (const auto* text : {"", "(1)", "(1,2", "1,2)", "(,)", "(1,2),(3,4)"}) {
    EXPECT_THAT(refusal(make(kPoint), text), HasSubstr("point")) << text;
  }
}

TEST(ColumnType, EnumAllowsItsLabels) {
  ColumnFacts mood = foreign("mood", 'e', {"sad", "it's", "x,y"});
  const auto type = make_with(mood);
  EXPECT_EQ(shown::schema(*type->schema()), "string? io.debezium.data.Enum {allowed=sad,it's,x,y}");
  EXPECT_EQ(value(*type, "sad"), "'sad'");
  EXPECT_EQ(value(*type, "added since"), "'added since'");
  EXPECT_TRUE(type->is_plain_text());
  EXPECT_TRUE(needs_facts(column_of({kForeign})));
}

TEST(ColumnType, ExtensionTypesAreKnownByName) {
  const auto schema = [](const char* name, ValueModes modes = {}) {
    const auto type = make_with(foreign(name), modes);
    return type ? shown::schema(*type->schema()) : "left out";
  };
  EXPECT_EQ(schema("citext"), "string?");
  EXPECT_EQ(schema("isbn"), "string?");
  EXPECT_EQ(schema("ltree"), "string? io.debezium.data.Ltree");
  EXPECT_EQ(schema("hstore"), "string? io.debezium.data.Json");
  EXPECT_EQ(schema("hstore", with(HstoreHandlingMode::kMap)), "map?<string,string?>");
  EXPECT_EQ(schema("geometry"),
            "struct?<wkb bytes, srid int32?> io.debezium.data.geometry.Geometry \"Geometry\"");
  EXPECT_EQ(schema("vector"), "array?<double> io.debezium.data.DoubleVector");
  EXPECT_EQ(schema("halfvec"), "array?<float> io.debezium.data.FloatVector");
  EXPECT_EQ(schema("cube"), "left out");
  EXPECT_EQ(schema("sparsevec"), "left out");
  EXPECT_TRUE(make_with(foreign("citext"))->is_plain_text());
  EXPECT_FALSE(make_with(foreign("hstore"))->is_plain_text());
  EXPECT_FALSE(make_with(foreign("citext", 'c'))) << "a composite type of that name";
}

TEST(ColumnType, HstoreIsOrderedAsJavasHashMap) {
  const auto json = make_with(foreign("hstore"));
  EXPECT_EQ(value(*json, ""), "'{}'");
  EXPECT_EQ(value(*json, R"("a"=>"1", "b"=>NULL, "c d"=>"q\"\\x")"),
            R"('{"a":"1","b":null,"c d":"q\"\\x"}')");
  EXPECT_EQ(value(*json, R"("b"=>"3", "z"=>"1", "aa"=>"2", "hello"=>"4")"),
            R"('{"aa":"2","b":"3","z":"1","hello":"4"}')");
  EXPECT_EQ(value(*json, "\"k\"=>\"é/<\t\x01\""), R"('{"k":"é/<\t\u0001"}')");
  const auto map = make_with(foreign("hstore"), with(HstoreHandlingMode::kMap));
  EXPECT_EQ(value(*map, R"("b"=>"3", "z"=>NULL, "aa"=>"2", "hello"=>"NULL")"),
            "{'aa': '2', 'b': '3', 'z': null, 'hello': 'NULL'}");
  for (const auto* text : {"a=>1", R"("a")", R"("a"=>)", R"("a"=>"1",)", R"("a"=>"1", )", R"("a)",
                           R"("a"=>"1" "b"=>"2")", R"("a"=>"\)"}) {
    EXPECT_THAT(refusal(*map, text), HasSubstr("hstore")) << text;
  }
}

TEST(ColumnType, GeometryHasTheSridOfItsBytes) {
  const auto type = make_with(foreign("geometry"));
  EXPECT_EQ(value(*type, "0101000020E6100000000000000000F03F0000000000000040"),
            "(0x0101000020e6100000000000000000f03f0000000000000040, 4326)");
  EXPECT_EQ(value(*type, "010700000000000000"), "(0x010700000000000000, null)");
  EXPECT_EQ(value(*type, "0020000001000010E63FF0000000000000"),
            "(0x0020000001000010e63ff0000000000000, 4326)");
  for (const auto* text : {"", "0101", "01070000000000000g"}) {
    EXPECT_THAT(refusal(*type, text), HasSubstr("geometry")) << text;
  }
  ColumnFacts not_null = foreign("geometry");
  not_null.attnotnull = true;
  EXPECT_TRUE(make_with(not_null)->schema()->optional) << "as Debezium has it";
  not_null = foreign("geography");
  not_null.attnotnull = true;
  EXPECT_FALSE(make_with(not_null)->schema()->optional);
}

TEST(ColumnType, VectorsOfPgvector) {
  EXPECT_EQ(value(*make_with(foreign("vector")), "[1,2.5,-3]"), "[1.0, 2.5, -3.0]");
  EXPECT_EQ(value(*make_with(foreign("halfvec")), "[1,2.5]"), "[1f, 2.5f]");
  EXPECT_THAT(refusal(*make_with(foreign("vector")), "1,2"), HasSubstr("vector"));
}

TEST(ColumnType, DomainsAreWhatTheyAreMadeOf) {
  const auto schema = [](Type base) {
    return shown::schema(*make_with(domain_over(base))->schema());
  };
  EXPECT_EQ(schema(kInt4), "int32?");
  EXPECT_EQ(schema(kText), "string?");
  EXPECT_EQ(schema({1700, numeric_typmod(5, 2)}),
            "bytes? org.apache.kafka.connect.data.Decimal {scale=2, connect.decimal.precision=5}");
  EXPECT_EQ(schema({1114, 3}), "int64? io.debezium.time.Timestamp");
  EXPECT_EQ(schema({1560, 3}), "bytes? io.debezium.data.Bits {length=3}");
  EXPECT_EQ(schema({1007}), "array?<int32?>");
  EXPECT_EQ(value(*make_with(domain_over({1007})), "{1,2}"), "[1, 2]");
  EXPECT_TRUE(make_with(domain_over(kText))->is_plain_text());
  ColumnFacts over_enum = domain_over({kForeignArray});
  over_enum.type = foreign("mood", 'e', {"sad"}).type;
  EXPECT_EQ(shown::schema(*make_with(over_enum)->schema()),
            "string? io.debezium.data.Enum {allowed=sad}");
}

TEST(ColumnType, UnknownTypesAreLeftOutOrBytes) {
  for (const std::uint32_t oid : {3220U, 4072U, 603U, 4451U, kForeign}) {
    EXPECT_FALSE(ColumnType::make(column_of({oid}), nullptr, {})) << oid;
    EXPECT_TRUE(needs_facts(column_of({oid}))) << oid;
    EXPECT_EQ(made({oid}, "0/1", kUnknownIncluded), "bytes?: 0x302f31") << oid;
  }
  EXPECT_FALSE(make(kPgLsn, kUnknownIncluded).is_plain_bytes()) << "its text is not hexadecimal";
  ValueModes modes = kUnknownIncluded;
  modes.binary_handling_mode = BinaryHandlingMode::kBase64UrlSafe;
  EXPECT_EQ(made(kPgLsn, "<(0.0,0.0),1.0>", modes), "string?: 'PCgwLjAsMC4wKSwxLjA-'");
  modes.binary_handling_mode = BinaryHandlingMode::kHex;
  EXPECT_EQ(made(kPgLsn, "0/1", modes), "string?: '302f31'");
  EXPECT_FALSE(make_with(foreign("comp", 'c')));
  EXPECT_FALSE(make_with(foreign("myrange", 'r')));
}

TEST(ColumnType, FactsSayWhatIsNotNull) {
  ColumnFacts facts = facts_of(kInt4);
  EXPECT_EQ(shown::schema(*make_with(facts)->schema()), "int32?");
  facts.attnotnull = true;
  EXPECT_EQ(shown::schema(*make_with(facts)->schema()), "int32");
}

TEST(ColumnType, FactsOfAnotherColumnSayNothing) {
  ColumnFacts facts = facts_of(kInt4);
  facts.attnotnull = true;
  facts.default_expression = "5";
  const RelationColumn column = column_of(kInt4);
  EXPECT_TRUE(facts_apply(column, &facts));
  EXPECT_FALSE(facts_apply(column, nullptr));
  EXPECT_EQ(shown::schema(*ColumnType::make(column, &facts, {})->schema()), "int32 = 5");
  facts.attname = "w";
  EXPECT_FALSE(facts_apply(column, &facts));
  EXPECT_EQ(shown::schema(*ColumnType::make(column, &facts, {})->schema()), "int32?");
  facts.attname = "v";
  facts.atttypid = Oid{kText.oid};
  EXPECT_FALSE(facts_apply(column, &facts));
  EXPECT_EQ(shown::schema(*ColumnType::make(column, &facts, {})->schema()), "int32?");
}

TEST(ColumnType, OnlyTypesOfNoFixedOidNeedFacts) {
  for (const Type type : {kText, kInt4, kNumeric, kTimestamptz, Type{1007}, Type{3807}, Type{22}}) {
    EXPECT_FALSE(needs_facts(column_of(type))) << type.oid;
  }
}

}  // namespace
}  // namespace walpost
