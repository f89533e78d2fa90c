#include <gtest/gtest.h>

#include "column_type_fixture.h"
#include "walpost/column_type.h"

// Which default of a column its schema carries. Expressions are as PostgreSQL 15 prints them
// (pg_get_expr), expected values Debezium 3.6.1's but where a test says otherwise.

namespace walpost {
namespace {

constexpr std::uint32_t kEnum = 16500;

struct Column {
  std::uint32_t oid;
  std::int32_t typmod = -1;
  ValueModes modes = {};
};

// "none", or the value.
std::string exported(const Column& column, std::string expression) {
  ColumnFacts facts{.attname = "v", .atttypid = Oid{column.oid}};
  facts.default_expression = std::move(expression);
  facts.type = {.oid = Oid{column.oid}, .typname = "t"};
  if (column.oid == kEnum) facts.type.typtype = 'e';
  const auto type =
      ColumnType::make({.name = "v", .type_oid = Oid{column.oid}, .type_modifier = column.typmod},
                       &facts, column.modes);
  const auto& value = type->schema()->default_value;
  return value ? shown::value(*value) : "none";
}

constexpr Column kText{25}, kBpchar5{1042, 9}, kInt2{21}, kInt4{23}, kInt8{20}, kBool{16},
    kFloat4{700}, kFloat8{701}, kNumeric{1700}, kNumeric9_2{1700, (9 << 16 | 2) + 4}, kUuid{2950},
    kJson{114}, kJsonb{3802}, kXml{142}, kDate{1082}, kTime{1083}, kTimestamp{1114},
    kTimestamp3{1114, 3}, kTimestamptz{1184}, kTimestamptz0{1184, 0}, kInterval{1186},
    kBit1{1560, 1}, kBit3{1560, 3}, kVarbit{1562}, kMood{kEnum};
constexpr ValueModes kDoubles{.decimal_handling_mode = DecimalHandlingMode::kDouble};
constexpr ValueModes kStrings{.decimal_handling_mode = DecimalHandlingMode::kString,
                              .time_precision_mode = TimePrecisionMode::kIsoString,
                              .interval_handling_mode = IntervalHandlingMode::kString};

TEST(ColumnDefault, TextConstants) {
  EXPECT_EQ(exported(kText, "'abc'::text"), "'abc'");
  EXPECT_EQ(exported({1043, 9}, "'abc'::character varying"), "'abc'");
  EXPECT_EQ(exported(kText, "('abc'::character varying(5))::text"), "'abc'");
  EXPECT_EQ(exported(kText, "('abc'::text COLLATE \"C\")"), "'abc'");
  EXPECT_EQ(exported(kText, "''::text"), "''");
  EXPECT_EQ(exported(kText, R"('a\b'::text)"), R"('a\b')");
  EXPECT_EQ(exported(kText, "'a::b(c)'::text"), "'a::b(c)'");
  EXPECT_EQ(exported(kText, "'f(1)'::text"), "'f(1)'");
  EXPECT_EQ(exported(kBpchar5, "'ab'::bpchar"), "'ab'") << "not padded";
  EXPECT_EQ(exported(kXml, "'<a/>'::xml"), "'<a/>'");
}

TEST(ColumnDefault, AQuoteIsPartOfTheTextWhereDebeziumCutsIt) {
  EXPECT_EQ(exported(kText, "'it''s'::text"), "'it's'");
  EXPECT_EQ(exported(kText, "''''::text"), "'''");
  EXPECT_EQ(exported(kJsonb, R"('"it''s"'::jsonb)"), R"('"it's"')");
  EXPECT_EQ(exported(kMood, "'it''s'::\"Odd Mood\""), "'it's'");
}

TEST(ColumnDefault, CallsHaveANeutralValue) {
  for (const auto* call : {"lower('X'::text)", "(now())::text", "f(1)", "upper('a''b'::text)",
                           "COALESCE('q'::text, 'w'::text)", "public.f()"}) {
    EXPECT_EQ(exported(kText, call), "''") << call;
  }
  EXPECT_EQ(exported(kJson, "json_build_object('a', 1)"), "'{}'");
  EXPECT_EQ(exported(kJsonb, "jsonb_build_object()"), "'{}'");
  EXPECT_EQ(exported(kUuid, "gen_random_uuid()"), "'00000000-0000-0000-0000-000000000000'");
  EXPECT_EQ(exported(kInt4, "nextval('sq'::regclass)"), "0");
  EXPECT_EQ(exported(kInt8, "nextval('sq'::regclass)"), "0");
  EXPECT_EQ(exported(kFloat4, "random()"), "0f");
  EXPECT_EQ(exported(kFloat8, "pi()"), "0.0");
  EXPECT_EQ(exported(kNumeric9_2, "random()"), "0e-2");
  EXPECT_EQ(exported({1700, kNumeric9_2.typmod, kStrings}, "random()"), "'0.00'");
  EXPECT_EQ(exported({1700, -1, kStrings}, "random()"), "'0.0'");
  EXPECT_EQ(exported(kBool, "f(1)"), "false");
  EXPECT_EQ(exported(kBit1, "f(1)"), "false");
  EXPECT_EQ(exported(kBit3, "f(1)"), "0x");
  EXPECT_EQ(exported(kInterval, "make_interval(1)"), "0");
  EXPECT_EQ(exported({1186, -1, kStrings}, "make_interval(1)"), "'P0Y0M0DT0H0M0S'");
}

TEST(ColumnDefault, TheCurrentTimeIsTheEpoch) {
  EXPECT_EQ(exported(kDate, "CURRENT_DATE"), "0");
  EXPECT_EQ(exported(kDate, "now()"), "0");
  EXPECT_EQ(exported(kTime, "LOCALTIME"), "0");
  EXPECT_EQ(exported({1083, 3}, "CURRENT_TIME"), "0");
  EXPECT_EQ(exported(kTimestamp, "CURRENT_TIMESTAMP"), "0");
  EXPECT_EQ(exported(kTimestamp, "timezone('utc'::text, now())"), "0");
  EXPECT_EQ(exported(kTimestamp3, "CURRENT_TIMESTAMP(3)"), "0");
  EXPECT_EQ(exported(kTimestamptz, "now()"), "'1970-01-01T00:00:00.000000Z'");
  EXPECT_EQ(exported(kTimestamptz, "(now() + '1 day'::interval)"), "'1970-01-01T00:00:00.000000Z'");
  EXPECT_EQ(exported(kTimestamptz0, "clock_timestamp()"), "'1970-01-01T00:00:00Z'");
  EXPECT_EQ(exported({1082, -1, kStrings}, "CURRENT_DATE"), "'1970-01-01Z'");
  EXPECT_EQ(exported({1083, -1, kStrings}, "LOCALTIME"), "'00:00:00Z'");
  EXPECT_EQ(exported({1114, -1, kStrings}, "LOCALTIMESTAMP"), "'1970-01-01T00:00:00Z'");
}

TEST(ColumnDefault, ConstantsOfTheOtherTypes) {
  EXPECT_EQ(exported(kInt2, "'-5'::integer"), "-5");
  EXPECT_EQ(exported(kInt4, "5"), "5");
  EXPECT_EQ(exported(kInt4, "('5'::text)::integer"), "5");
  EXPECT_EQ(exported(kInt8, "'-9223372036854775808'::bigint"), "-9223372036854775808");
  EXPECT_EQ(exported(kFloat4, "0.1"), "0.1f");
  EXPECT_EQ(exported(kFloat4, "'-1'::integer"), "-1f");
  EXPECT_EQ(exported(kFloat8, "'Infinity'::double precision"), "inf");
  EXPECT_EQ(exported(kNumeric9_2, "1.5"), "150e-2");
  EXPECT_EQ(exported(kNumeric9_2, "'-1.5'::numeric"), "-150e-2");
  EXPECT_EQ(exported({1700, kNumeric9_2.typmod, kStrings}, "1"), "'1.00'");
  EXPECT_EQ(exported({1700, -1, kStrings}, "1.50"), "'1.50'");
  EXPECT_EQ(exported({1700, -1, kDoubles}, "1200"), "1200.0");
  EXPECT_EQ(exported(kBool, "true"), "true");
  EXPECT_EQ(exported(kBool, "false"), "false");
  EXPECT_EQ(exported(kUuid, "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid"),
            "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'");
  EXPECT_EQ(exported(kJsonb, R"('{"a": 1}'::jsonb)"), R"('{"a": 1}')");
  EXPECT_EQ(exported(kBit1, "'1'::\"bit\""), "true");
  EXPECT_EQ(exported(kBit3, "'101'::\"bit\""), "0x05");
  EXPECT_EQ(exported(kVarbit, "'101'::\"bit\""), "0x05");
  EXPECT_EQ(exported(kMood, "'sad'::mood"), "'sad'");
  EXPECT_EQ(exported(kMood, "'x,y'::\"Odd Mood\""), "'x,y'");
}

TEST(ColumnDefault, ConstantsOfTime) {
  EXPECT_EQ(exported(kDate, "'2020-01-01'::date"), "18262");
  EXPECT_EQ(exported(kTime, "'10:00:00.123456'::time without time zone"), "36000123456");
  EXPECT_EQ(exported(kTimestamp, "'2020-01-01 10:00:00'::timestamp without time zone"),
            "1577872800000000");
  EXPECT_EQ(exported(kTimestamp3, "'2020-01-01 10:00:00'::timestamp(3) without time zone"),
            "1577872800000");
  EXPECT_EQ(exported(kTimestamptz, "'2020-01-01 08:00:00+00'::timestamp with time zone"),
            "'2020-01-01T08:00:00.000000Z'");
  EXPECT_EQ(exported(kTimestamptz, "'infinity'::timestamp with time zone"), "none");
  EXPECT_EQ(exported(kInterval, "'1 mon 2 days -03:04:05.5'::interval"), "2791554500000");
  EXPECT_EQ(exported({1186, -1, kStrings}, "'1 mon 2 days -03:04:05.5'::interval"),
            "'P0Y1M2DT-3H-4M-5.5S'");
}

TEST(ColumnDefault, InfinityIsWhatTheColumnWouldShow) {
  EXPECT_EQ(exported(kDate, "'infinity'::date"), "-2147472692") << "Debezium: 169560311";
  EXPECT_EQ(exported(kTimestamp, "'infinity'::timestamp without time zone"), "9223372036825200000")
      << "Debezium: -9223372036853775810";
}

TEST(ColumnDefault, ExpressionsHaveNoneWhereDebeziumTakesAPieceOfTheirText) {
  for (const auto* expression :
       {"('a'::text || 'b'::text)", "CURRENT_USER", "SESSION_USER", "USER", "CURRENT_SCHEMA",
        "(CURRENT_DATE)::text", "CASE WHEN true THEN 'a'::text ELSE 'b'::text END", "(5)::text"}) {
    EXPECT_EQ(exported(kText, expression), "none") << expression;
  }
  EXPECT_EQ(exported(kJsonb, "('{}'::jsonb || '{}'::jsonb)"), "none");
  EXPECT_EQ(exported(kBool, "(1 = 1)"), "none");
  EXPECT_EQ(exported(kBool, "('t'::boolean AND false)"), "none");
  EXPECT_EQ(exported(kDate, "('2020-01-01'::date + 1)"), "none");
}

TEST(ColumnDefault, ExpressionsWithoutADefaultInDebeziumEither) {
  for (const auto* expression : {"(1 + 2)", "(5)::bigint", "1.6", "NULL::integer", "(+ 3)", "", "(",
                                 "'", "5::", "9999999999"}) {
    EXPECT_EQ(exported(kInt4, expression), "none") << expression;
  }
  EXPECT_EQ(exported(kInt2, "40000"), "none");
  EXPECT_EQ(exported(kNumeric9_2, "1.555"), "none") << "more digits than the column";
  for (const auto& modes : {ValueModes{}, kDoubles, kStrings}) {
    EXPECT_EQ(exported({1700, kNumeric9_2.typmod, modes}, "'NaN'::numeric"), "none");
  }
  EXPECT_EQ(exported(kText, "'l\nm'::text"), "none") << "more than one line";
  EXPECT_EQ(exported(kTimestamp, "(CURRENT_TIMESTAMP + '1 day'::interval)"), "none");
  EXPECT_EQ(exported(kMood, "f()"), "none");
  EXPECT_EQ(exported(kMood, "('sad'::text)::mood"), "none");
}

TEST(ColumnDefault, TypesThatExportNone) {
  EXPECT_EQ(exported(kNumeric, "1.50"), "none") << "a struct";
  EXPECT_EQ(exported({17}, "'\\x00'::bytea"), "none");
  EXPECT_EQ(exported({19}, "'n'::name"), "none");
  EXPECT_EQ(exported({26}, "5"), "none");
  EXPECT_EQ(exported({600}, "'(1,2)'::point"), "none");
  EXPECT_EQ(exported({790}, "'$1.50'::money"), "none");
  EXPECT_EQ(exported({869}, "'10.0.0.1'::inet"), "none");
  EXPECT_EQ(exported({1009}, "'{a}'::text[]"), "none");
  EXPECT_EQ(exported({1266}, "'10:00:00+02'::time with time zone"), "none");
  EXPECT_EQ(exported({3904}, "'[1,2)'::int4range"), "none");
}

TEST(ColumnDefault, DomainsExportNone) {
  ColumnFacts facts{.attname = "v",
                    .atttypid = Oid{kEnum},
                    .default_expression = "5",
                    .type = {.oid = Oid{23}, .typname = "int4"},
                    .is_domain = true};
  const auto type = ColumnType::make({.name = "v", .type_oid = Oid{kEnum}}, &facts, {});
  EXPECT_FALSE(type->schema()->default_value);
}

}  // namespace
}  // namespace walpost
