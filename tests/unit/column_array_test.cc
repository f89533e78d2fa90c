#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "column_type_fixture.h"
#include "walpost/column_type.h"

// Expected values are those of Debezium 3.6.1 over PostgreSQL 15, but where a test says otherwise.

namespace walpost {
namespace {

using namespace column_type_fixture;
using testing::HasSubstr;

TEST(ColumnArray, ArraysOfTextUnescapeTheirElements) {
  EXPECT_EQ(made({1009}, R"({a,NULL,"b,\"c\\","NULL","", d })"),
            R"(array?<string?>: ['a', null, 'b,"c\', 'NULL', '', ' d '])");
  EXPECT_EQ(made({1009}, "{}"), "array?<string?>: []");
  EXPECT_EQ(made({1009}, "[2:3]={x,y}"), "array?<string?>: ['x', 'y']");
}

TEST(ColumnArray, ArraysHaveTheSchemaOfTheirElements) {
  EXPECT_EQ(made({1005}, "{1,NULL}"), "array?<int16?>: [1, null]");
  EXPECT_EQ(made({1007}, "{1,-2}"), "array?<int32?>: [1, -2]");
  EXPECT_EQ(made({1028}, "{4294967295}"), "array?<int64?>: [4294967295]");
  EXPECT_EQ(made({1000}, "{t,f}"), "array?<boolean?>: [true, false]");
  EXPECT_EQ(made({1021}, "{0.1,NaN}"), "array?<float?>: [0.1f, nanf]");
  EXPECT_EQ(made({2951}, "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}"),
            "array?<string? io.debezium.data.Uuid>: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']");
  EXPECT_EQ(made({3807}, R"({"{\"a\": 1}"})"),
            R"(array?<string? io.debezium.data.Json>: ['{"a": 1}'])");
  EXPECT_EQ(made({1001}, R"({"\\x00ff",NULL})"), "array?<bytes?>: [0x00ff, null]");
  EXPECT_EQ(made({1231, numeric_typmod(9, 2)}, "{1.50,NULL}"),
            "array?<bytes? org.apache.kafka.connect.data.Decimal {scale=2, "
            "connect.decimal.precision=9}>: [150e-2, null]");
  EXPECT_EQ(made({1183, 3}, "{10:34:56.789}"), "array?<int32? io.debezium.time.Time>: [38096789]");
  EXPECT_EQ(made({1185, 3}, R"({"2020-01-02 03:04:05.6+00",infinity})"),
            "array?<string? io.debezium.time.ZonedTimestamp>: ['2020-01-02T03:04:05.600Z', "
            "'infinity']");
  EXPECT_EQ(made({3643}, "{'a'}"), "array?<string io.debezium.data.Tsvector>: [''a'']");
}

TEST(ColumnArray, ArraysKeepWhatDebeziumLosesInThem) {
  EXPECT_EQ(made({1182}, R"({infinity,"0044-03-15 BC"})"),
            "array?<int32? io.debezium.time.Date>: [-2147472692, -735160]");
  EXPECT_EQ(made({1183}, "{10:34:56.789012,24:00:00}"),
            "array?<int64? io.debezium.time.MicroTime>: [38096789012, 86400000000]");
  EXPECT_EQ(made({1270}, "{12:34:56.789012+02}"),
            "array?<string? io.debezium.time.ZonedTime>: ['10:34:56.789012Z']");
  EXPECT_EQ(made({1561, 10}, "{1000000001}"),
            "array?<bytes? io.debezium.data.Bits {length=10}>: [0x0102]");
  EXPECT_EQ(made({22}, "1 2"), "array?<int16>: [1, 2]");
  EXPECT_EQ(made({30}, "4294967295"), "array?<int64>: [4294967295]");
  ColumnFacts facts = facts_of({22});
  facts.element = type_facts(kInt2);
  EXPECT_EQ(value(*make_with(facts), "1 2"), "[1, 2]");
}

TEST(ColumnArray, ArraysThatDebeziumLeavesOutHaveTheirElementsSchema) {
  EXPECT_EQ(made({1003}, "{n}"), "array?<string?>: ['n']");
  EXPECT_EQ(made({143}, "{<a/>}"), "array?<string? io.debezium.data.Xml>: ['<a/>']");
  EXPECT_EQ(made({791}, "{$1.50}"),
            "array?<bytes? org.apache.kafka.connect.data.Decimal {scale=2}>: [150e-2]");
  EXPECT_EQ(made({1187}, R"({"1 day"})"),
            "array?<int64? io.debezium.time.MicroDuration>: [86400000000]");
  EXPECT_EQ(made({1563, 20}, "{101}"), "array?<bytes? io.debezium.data.Bits {length=20}>: [0x05]");
}

TEST(ColumnArray, ArraysOfEnumsAllowNoNull) {
  const auto type = make_with(array_of(foreign("mood", 'e', {"sad", "ok"})));
  EXPECT_EQ(shown::schema(*type->schema()),
            "array?<string io.debezium.data.Enum {allowed=sad,ok}>");
  EXPECT_EQ(value(*type, "{sad,ok}"), "['sad', 'ok']");
  EXPECT_THAT(refusal(*type, "{sad,NULL}"), HasSubstr("NULL among its elements"));
}

TEST(ColumnArray, ArraysOfExtensionTypes) {
  EXPECT_EQ(shown::schema(*make_with(array_of(foreign("citext")))->schema()), "array?<string?>");
  EXPECT_EQ(shown::schema(*make_with(array_of(foreign("ltree")))->schema()),
            "array?<string? io.debezium.data.Ltree>");
  const auto type = make_with(array_of(foreign("hstore")));
  EXPECT_EQ(shown::schema(*type->schema()), "array?<string? io.debezium.data.Json>");
  EXPECT_EQ(value(*type, R"({"\"a\"=>\"1\""})"), R"(['{"a":"1"}'])");
}

TEST(ColumnArray, ArraysOfSeveralDimensionsAreRefused) {
  EXPECT_THAT(refusal(make({1007}), "{{1,2},{3,4}}"), HasSubstr("more than one dimension"));
  EXPECT_THAT(refusal(make({1009}), "[1:1][2:3]={{a,b}}"), HasSubstr("more than one dimension"));
}

TEST(ColumnArray, WhatIsNoArrayIsRefused) {
  for (const auto* text : {"", "{", "}", "{a", "a}", "{,}", "{a,}", "{,a}", R"({"a})", R"({"a"b})",
                           R"({"a\"})", "[1:2", "[1:2]=", R"({"a",})", "{a{}"}) {
    EXPECT_THAT(refusal(make({1009}), text), HasSubstr("array")) << text;
  }
  EXPECT_THAT(refusal(make({1007}), "{x}"), HasSubstr("integer"));
}

TEST(ColumnArray, ArraysOfDomainsAreArraysOfTheirBase) {
  ColumnFacts facts = array_of(foreign("d"));
  facts.element = type_facts(kNumeric);
  facts.is_element_domain = true;
  facts.element_typmod = numeric_typmod(5, 2);
  EXPECT_EQ(shown::schema(*make_with(facts)->schema()),
            "array?<bytes? org.apache.kafka.connect.data.Decimal {scale=2, "
            "connect.decimal.precision=5}>");
  const auto opaque = make_with(facts, kUnknownIncluded);
  EXPECT_EQ(shown::schema(*opaque->schema()), "array?<bytes>") << "as Debezium has it";
  EXPECT_EQ(value(*opaque, "{1.50}"), "[0x312e3530]");
}

TEST(ColumnArray, ArraysOfUnknownTypes) {
  ColumnFacts boxes = array_of(foreign("box"));
  boxes.element->oid = Oid{603};
  EXPECT_FALSE(make_with(boxes));
  const auto type = make_with(boxes, kUnknownIncluded);
  EXPECT_EQ(shown::schema(*type->schema()), "array?<bytes>");
  EXPECT_EQ(value(*type, "{(1,1),(0,0);(2,2),(0,0)}"),
            "[0x28312c31292c28302c3029, 0x28322c32292c28302c3029]");
}

}  // namespace
}  // namespace walpost
