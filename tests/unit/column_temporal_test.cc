#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "column_type_fixture.h"
#include "walpost/column_type.h"

// Expected values are those of Debezium 3.6.1 over PostgreSQL 15, but where a test says otherwise.

namespace walpost {
namespace {

using namespace column_type_fixture;
using testing::HasSubstr;

TEST(ColumnTemporal, DateInEachMode) {
  using enum TimePrecisionMode;
  for (const auto mode : {kAdaptive, kAdaptiveTimeMicroseconds, kMicroseconds, kNanoseconds}) {
    EXPECT_EQ(made(kDate, "2020-02-29", with(mode)), "int32? io.debezium.time.Date: 18321");
  }
  EXPECT_EQ(made(kDate, "1969-12-31", with(kConnect)),
            "int32? org.apache.kafka.connect.data.Date: -1");
  EXPECT_EQ(made(kDate, "2020-02-29", with(kIsoString)),
            "string? io.debezium.time.IsoDate: '2020-02-29Z'");
}

TEST(ColumnTemporal, DatesFarAwayAndInfinite) {
  const ColumnType days = make(kDate);
  EXPECT_EQ(value(days, "0044-03-15 BC"), "-735160");
  EXPECT_EQ(value(days, "12345-01-01"), "3789391");
  EXPECT_EQ(value(days, "5874897-12-31"), "2145042905");
  EXPECT_EQ(value(days, "4714-11-24 BC"), "-2440588");
  EXPECT_EQ(value(days, "infinity"), "-2147472692");
  EXPECT_EQ(value(days, "-infinity"), "-2147472691");
  const ColumnType iso = make(kDate, with(TimePrecisionMode::kIsoString));
  EXPECT_EQ(value(iso, "0044-03-15 BC"), "'-0043-03-15Z'");
  EXPECT_EQ(value(iso, "12345-01-01"), "'+12345-01-01Z'");
  EXPECT_EQ(value(iso, "5874897-12-31"), "'+5874897-12-31Z'");
  EXPECT_EQ(value(iso, "infinity"), "'-5877611-06-21Z'");
  EXPECT_EQ(value(iso, "-infinity"), "'-5877611-06-22Z'");
  EXPECT_THAT(refusal(days, "2020-02-30"), HasSubstr("date"));
  EXPECT_THAT(refusal(days, "29.02.2020"), HasSubstr("date"));
}

TEST(ColumnTemporal, TimeInEachMode) {
  using enum TimePrecisionMode;
  EXPECT_EQ(made(kTime, "10:34:56.789012"), "int64? io.debezium.time.MicroTime: 38096789012");
  EXPECT_EQ(made({1083, 3}, "10:34:56.789"), "int32? io.debezium.time.Time: 38096789");
  EXPECT_EQ(made({1083, 0}, "10:34:56"), "int32? io.debezium.time.Time: 38096000");
  EXPECT_EQ(made({1083, 4}, "10:34:56"), "int64? io.debezium.time.MicroTime: 38096000000");
  EXPECT_EQ(made({1083, 3}, "10:34:56.7", with(kAdaptiveTimeMicroseconds)),
            "int64? io.debezium.time.MicroTime: 38096700000");
  EXPECT_EQ(made({1083, 0}, "10:34:56", with(kMicroseconds)),
            "int64? io.debezium.time.MicroTime: 38096000000");
  EXPECT_EQ(made(kTime, "10:34:56.789012", with(kNanoseconds)),
            "int64? io.debezium.time.NanoTime: 38096789012000");
  EXPECT_EQ(made(kTime, "10:34:56.789012", with(kConnect)),
            "int32? org.apache.kafka.connect.data.Time: 38096789");
  EXPECT_EQ(made(kTime, "10:34:56.7", with(kIsoString)),
            "string? io.debezium.time.IsoTime: '10:34:56.7Z'");
  EXPECT_EQ(value(make(kTime), "24:00:00"), "86400000000");
  EXPECT_EQ(value(make(kTime, with(kIsoString)), "24:00:00"), "'00:00:00Z'");
  for (const auto* text : {"24:00:00.000001", "10:60:00", "1:00:00", "10:00", "10:00:00.", "x"}) {
    EXPECT_THAT(refusal(make(kTime), text), HasSubstr("time")) << text;
  }
}

TEST(ColumnTemporal, TimetzIsTextInUtc) {
  EXPECT_EQ(made(kTimetz, "12:34:56.789012+02"),
            "string? io.debezium.time.ZonedTime: '10:34:56.789012Z'");
  const ColumnType type = make(kTimetz);
  EXPECT_EQ(value(type, "12:00:00+00"), "'12:00:00Z'");
  EXPECT_EQ(value(type, "00:30:00.5+05:30"), "'19:00:00.5Z'");
  EXPECT_EQ(value(type, "23:00:00-05"), "'04:00:00Z'");
  EXPECT_EQ(value(type, "24:00:00+00"), "'00:00:00Z'");
  EXPECT_EQ(value(type, "12:34:56+01:02:03"), "'11:32:53Z'") << "Debezium drops the row";
  for (const auto* text : {"12:00:00", "12:00:00+", "12:00:00+0", "12:00:00+00:00:00:00"}) {
    EXPECT_THAT(refusal(type, text), HasSubstr("time with time zone")) << text;
  }
}

TEST(ColumnTemporal, TimestampInEachMode) {
  using enum TimePrecisionMode;
  const std::string_view text = "2020-01-02 03:04:05.678901";
  for (const auto mode : {kAdaptive, kAdaptiveTimeMicroseconds, kMicroseconds}) {
    EXPECT_EQ(made(kTimestamp, text, with(mode)),
              "int64? io.debezium.time.MicroTimestamp: 1577934245678901");
  }
  for (const auto mode : {kAdaptive, kAdaptiveTimeMicroseconds}) {
    EXPECT_EQ(made({1114, 3}, "1969-12-31 23:59:59.999", with(mode)),
              "int64? io.debezium.time.Timestamp: -1");
  }
  EXPECT_EQ(made({1114, 0}, "2020-01-02 03:04:05"),
            "int64? io.debezium.time.Timestamp: 1577934245000");
  EXPECT_EQ(made({1114, 3}, "1969-12-31 23:59:59.999", with(kMicroseconds)),
            "int64? io.debezium.time.MicroTimestamp: -1000");
  EXPECT_EQ(made(kTimestamp, text, with(kNanoseconds)),
            "int64? io.debezium.time.NanoTimestamp: 1577934245678901000");
  EXPECT_EQ(made(kTimestamp, text, with(kConnect)),
            "int64? org.apache.kafka.connect.data.Timestamp: 1577934245678");
  EXPECT_EQ(made(kTimestamp, text, with(kIsoString)),
            "string? io.debezium.time.IsoTimestamp: '2020-01-02T03:04:05.678901Z'");
  EXPECT_EQ(made(kTimestamp, "2020-01-01 10:20:00", with(kIsoString)),
            "string? io.debezium.time.IsoTimestamp: '2020-01-01T10:20:00Z'");
}

TEST(ColumnTemporal, MillisecondsBefore1970AreRoundedDown) {
  EXPECT_EQ(
      value(make(kTimestamp, with(TimePrecisionMode::kConnect)), "1969-12-31 23:59:59.999999"),
      "-1");
  EXPECT_EQ(value(make(kTimestamp), "1969-12-31 23:59:59.999999"), "-1");
}

TEST(ColumnTemporal, TimestampsFarAwayAndInfinite) {
  using enum TimePrecisionMode;
  const ColumnType us = make(kTimestamp);
  EXPECT_EQ(value(us, "0044-03-15 12:00:00.5 BC"), "-63517780799500000");
  EXPECT_EQ(value(us, "4714-11-24 00:00:00 BC"), "-210866803200000000");
  EXPECT_EQ(value(us, "294247-01-10 04:00:54.775807"), "9223372036854775807");
  EXPECT_EQ(value(us, "infinity"), "9223372036825200000");
  EXPECT_EQ(value(us, "-infinity"), "-9223372036832400000");
  const ColumnType ms = make({1114, 3});
  EXPECT_EQ(value(ms, "294276-12-31 00:00:00"), "9224317929600000");
  EXPECT_EQ(value(ms, "infinity"), "9223372036825200");
  EXPECT_EQ(value(ms, "-infinity"), "-9223372036832400");
  const ColumnType ns = make(kTimestamp, with(kNanoseconds));
  EXPECT_EQ(value(ns, "2262-04-11 23:47:16.854775"), "9223372036854775000");
  EXPECT_EQ(value(ns, "1677-09-21 00:12:43.145225"), "-9223372036854775000");
  EXPECT_EQ(value(ns, "infinity"), "9223372036854775807");
  EXPECT_EQ(value(ns, "-infinity"), "-9223372036854775808");
  const ColumnType iso = make(kTimestamp, with(kIsoString));
  EXPECT_EQ(value(iso, "294276-12-31 23:59:59.999999"), "'+294276-12-31T23:59:59.999999Z'");
  EXPECT_EQ(value(iso, "infinity"), "'+294247-01-10T04:00:25.2Z'");
  EXPECT_EQ(value(iso, "-infinity"), "'-290308-12-21T19:59:27.6Z'");
}

TEST(ColumnTemporal, TimestampsBeyondTheirUnitAreRefused) {
  using enum TimePrecisionMode;
  EXPECT_THAT(refusal(make(kTimestamp), "294247-01-10 04:00:54.775808"), HasSubstr("microseconds"))
      << "Debezium wraps around";
  for (const auto* text : {"2262-04-11 23:47:16.854776", "1677-09-21 00:12:43.145224",
                           "0044-03-15 12:00:00 BC", "294276-12-31 23:59:59.999999"}) {
    EXPECT_THAT(refusal(make(kTimestamp, with(kNanoseconds)), text), HasSubstr("nanoseconds"))
        << "Debezium gives null; " << text;
  }
}

TEST(ColumnTemporal, TimestamptzIsTextWithTheColumnsFraction) {
  const std::string schema = "string? io.debezium.time.ZonedTimestamp: ";
  EXPECT_EQ(made(kTimestamptz, "2020-01-01 00:00:00+00"), schema + "'2020-01-01T00:00:00.000000Z'");
  EXPECT_EQ(made({1184, 3}, "2020-01-02 03:04:05.6+00"), schema + "'2020-01-02T03:04:05.600Z'");
  EXPECT_EQ(made({1184, 0}, "2020-01-02 03:00:00+00"), schema + "'2020-01-02T03:00:00Z'");
  const ColumnType type = make(kTimestamptz, with(TimePrecisionMode::kConnect));
  EXPECT_EQ(value(type, "infinity"), "'infinity'");
  EXPECT_EQ(value(type, "-infinity"), "'-infinity'");
  EXPECT_EQ(value(type, "0044-03-15 12:00:00+00 BC"), "'-0043-03-15T12:00:00.000000Z'");
  EXPECT_EQ(value(type, "0001-01-01 00:00:00+00 BC"), "'0000-01-01T00:00:00.000000Z'");
  EXPECT_EQ(value(type, "12345-01-01 00:00:00+00"), "'+12345-01-01T00:00:00.000000Z'");
  EXPECT_EQ(value(type, "4714-11-24 00:00:00+00 BC"), "'-4713-11-24T00:00:00.000000Z'");
  EXPECT_THAT(refusal(type, "2020-01-01 00:00:00+02"), HasSubstr("timestamp"));
}

TEST(ColumnTemporal, IntervalsAsMicrosecondsAndAsText) {
  struct Case {
    const char* text;
    const char* us;
    const char* iso;
  };
  const ColumnType us = make(kInterval);
  const ColumnType iso = make(kInterval, {.interval_handling_mode = IntervalHandlingMode::kString});
  EXPECT_EQ(shown::schema(*us.schema()), "int64? io.debezium.time.MicroDuration");
  EXPECT_EQ(shown::schema(*iso.schema()), "string? io.debezium.time.Interval");
  for (const auto& [text, expected_us, expected_iso] : std::initializer_list<Case>{
           {"1 year 2 mons 3 days 04:05:06.789", "37091106789000", "P1Y2M3DT4H5M6.789S"},
           {"-1 years -2 mons +3 days -04:05:06.789", "-36572706789000", "P-1Y-2M3DT-4H-5M-6.789S"},
           {"00:00:00", "0", "P0Y0M0DT0H0M0S"},
           {"-00:00:00.5", "-500000", "P0Y0M0DT0H0M-0.5S"},
           {"1 year 2 mons", "36817200000000", "P1Y2M0DT0H0M0S"},
           {"-1 years -2 mons", "-36817200000000", "P-1Y-2M0DT0H0M0S"},
           {"100:00:00.000001", "360000000001", "P0Y0M0DT100H0M0.000001S"},
           {"1 day -00:01:00", "86340000000", "P0Y0M1DT0H-1M0S"},
           {"00:00:00.1", "100000", "P0Y0M0DT0H0M0.1S"},
           {"00:00:59.999999", "59999999", "P0Y0M0DT0H0M59.999999S"},
           {"00:00:10", "10000000", "P0Y0M0DT0H0M10S"},
           {"-00:00:10.5", "-10500000", "P0Y0M0DT0H0M-10.5S"},
       }) {
    EXPECT_EQ(value(us, text), expected_us) << text;
    EXPECT_EQ(value(iso, text), "'" + std::string(expected_iso) + "'") << text;
  }
  EXPECT_EQ(value(iso, "178000000 years"), "'P178000000Y0M0DT0H0M0S'");
  EXPECT_EQ(value(iso, "2562047788:00:54.775807"), "'P0Y0M0DT2562047788H0M54.775807S'");
  EXPECT_THAT(refusal(us, "178000000 years"), HasSubstr("64 bits")) << "Debezium takes the largest";
  EXPECT_THAT(refusal(iso, "infinity"), HasSubstr("infinite"));
  for (const auto* text : {"", "1", "1 week", "P1Y", "1 day 1", "00:00", "00:00:00.1234567"}) {
    EXPECT_THAT(refusal(us, text), HasSubstr("interval")) << text;
  }
}

}  // namespace
}  // namespace walpost
