#include "walpost/pg_time.h"

#include <gtest/gtest.h>

#include <tuple>

namespace walpost {
namespace {

// The ends of PostgreSQL's range: datatype/timestamp.h, MIN_TIMESTAMP and END_TIMESTAMP.
constexpr std::int64_t kMinTimestamp = -211'813'488'000'000'000;
constexpr std::int64_t kEndTimestamp = 9'223'371'331'200'000'000;

// Microseconds since 2000; fails the test if it is not a finite timestamp.
std::int64_t parsed(std::string_view text) {
  const auto result = parse_timestamp(text);
  if (!result || !result->time) {
    ADD_FAILURE() << text << " was not read";
    return 0;
  }
  return result->time->value();
}

std::int64_t unix_ms(std::string_view text) { return PgTimestamp(parsed(text)).to_unix_ms(); }

TEST(PgTime, TheEpochIsTheYear2000) {
  EXPECT_EQ(parsed("2000-01-01 00:00:00"), 0);
  EXPECT_EQ(PgTimestamp().to_unix_ms(), 946'684'800'000);
}

TEST(PgTime, ATimestamptzInUtcReadsAsATimestamp) {
  EXPECT_EQ(parsed("2024-02-29 23:59:59.123456+00"), parsed("2024-02-29 23:59:59.123456"));
  EXPECT_EQ(unix_ms("2019-03-24 20:52:59.000123"), 1'553'460'779'000);
}

TEST(PgTime, AFractionHasAsManyDigitsAsTheServerPrints) {
  EXPECT_EQ(parsed("2000-01-01 00:00:00.1"), 100'000);
  EXPECT_EQ(parsed("2000-01-01 00:00:00.000001"), 1);
  EXPECT_EQ(parsed("2000-01-01 00:00:01.05"), 1'050'000);
}

TEST(PgTime, KnowsLeapYears) {
  EXPECT_EQ(parsed("2024-03-01 00:00:00") - parsed("2024-02-28 00:00:00"), 2 * 86'400'000'000);
  EXPECT_EQ(parse_timestamp("2023-02-29 00:00:00"), std::nullopt);
  EXPECT_EQ(parse_timestamp("1900-02-29 00:00:00"), std::nullopt);
  EXPECT_TRUE(parse_timestamp("2000-02-29 00:00:00"));
}

TEST(PgTime, TheYearBeforeOneIsOneBeforeChrist) {
  EXPECT_EQ(parsed("0001-01-01 00:00:00") - parsed("0001-12-31 00:00:00 BC"), 86'400'000'000);
  EXPECT_TRUE(parse_timestamp("0001-02-29 00:00:00 BC")) << "1 BC is a leap year";
  EXPECT_EQ(unix_ms("0044-03-15 12:00:00+00 BC"), -63'517'780'800'000);
}

TEST(PgTime, ReadsTheWholeRangeOfPostgres) {
  EXPECT_EQ(parsed("4714-11-24 00:00:00 BC"), kMinTimestamp);
  EXPECT_EQ(parsed("294276-12-31 23:59:59.999999"), kEndTimestamp - 1);
}

TEST(PgTime, TheLastMomentOfPostgresHasMilliseconds) {
  EXPECT_EQ(PgTimestamp(kEndTimestamp - 1).to_unix_ms(), 9'224'318'015'999'999);
  EXPECT_EQ(PgTimestamp(kMinTimestamp).to_unix_ms(), -210'866'803'200'000);
  EXPECT_EQ(PgTimestamp(INT64_MAX).to_unix_ms(), 9'224'318'721'654'775);
  EXPECT_EQ(PgTimestamp(INT64_MIN).to_unix_ms(), -9'222'425'352'054'775);
}

TEST(PgTime, RefusesWhatIsOutsideTheRange) {
  EXPECT_EQ(parse_timestamp("294277-01-01 00:00:00"), std::nullopt);
  EXPECT_EQ(parse_timestamp("4714-11-23 23:59:59 BC"), std::nullopt);
  EXPECT_EQ(parse_timestamp("4715-01-01 00:00:00 BC"), std::nullopt);
  EXPECT_EQ(parse_timestamp("999999-01-01 00:00:00"), std::nullopt);
}

TEST(PgTime, InfinityIsATimestampWithoutATime) {
  for (const char* text : {"infinity", "-infinity"}) {
    const auto result = parse_timestamp(text);
    ASSERT_TRUE(result) << text;
    EXPECT_FALSE(result->time) << text;
  }
}

TEST(PgTime, RefusesOtherForms) {
  for (const char* text : {"",
                           "2024-02-29",
                           "2024-02-29T00:00:00",
                           "2024-02-29 00:00",
                           "24-02-29 00:00:00",
                           "02/29/2024 00:00:00",
                           "2024-02-29 00:00:00+01",
                           "2024-02-29 00:00:00 +00",
                           "2024-02-29 00:00:00.",
                           "2024-02-29 00:00:00.1234567",
                           "2024-13-01 00:00:00",
                           "2024-00-01 00:00:00",
                           "2024-01-00 00:00:00",
                           "2024-01-32 00:00:00",
                           "2024-01-01 25:00:00",
                           "2024-01-01 00:60:00",
                           "2024-01-01 00:00:61",
                           "2024-1-01 00:00:00",
                           "-2024-01-01 00:00:00",
                           "2024-01-01 00:00:00 AD",
                           "2024-01-01 00:00:00Z",
                           "0000-01-01 00:00:00",
                           "Infinity",
                           " infinity",
                           "now",
                           "0000-01-01 00:00:00 BC"}) {
    EXPECT_EQ(parse_timestamp(text), std::nullopt) << '"' << text << '"';
  }
}

TEST(PgTime, MillisecondsRoundTowardsZero) {
  EXPECT_EQ(unix_ms("1970-01-01 00:00:00.000999"), 0);
  EXPECT_EQ(unix_ms("1970-01-01 00:00:00.001999"), 1);
  EXPECT_EQ(unix_ms("1969-12-31 23:59:59.999001"), 0);
  EXPECT_EQ(unix_ms("1969-12-31 23:59:59.998001"), -1);
  EXPECT_EQ(unix_ms("1999-12-31 23:59:59.9991"), 946'684'799'999);
}

TEST(PgTime, WritesIsoInUtc) {
  EXPECT_EQ(PgTimestamp(parsed("2026-01-02 03:04:05.678901")).to_string(),
            "2026-01-02T03:04:05.678901Z");
  EXPECT_EQ(PgTimestamp(parsed("1999-12-31 23:59:59.999999")).to_string(),
            "1999-12-31T23:59:59.999999Z");
}

TEST(PgTime, TakesTheSystemsClock) {
  const std::chrono::system_clock::time_point epoch;
  EXPECT_EQ(PgTimestamp::from_system(epoch).value(), -946'684'800'000'000);
  EXPECT_EQ(
      PgTimestamp::from_system(epoch + std::chrono::milliseconds(1'700'000'000'123)).to_unix_ms(),
      1'700'000'000'123);
}

TEST(PgTime, BeforeTheEpochTheSystemsClockRoundsDown) {
  const std::chrono::system_clock::time_point just_before(std::chrono::nanoseconds(-1));
  EXPECT_EQ(PgTimestamp::from_system(just_before).value(), -946'684'800'000'001);
}

TEST(PgTime, ADateIsDaysSince1970) {
  const auto days = [](std::string_view text) { return parse_date(text)->since_unix->count(); };
  EXPECT_EQ(days("1970-01-01"), 0);
  EXPECT_EQ(days("2020-02-29"), 18321);
  EXPECT_EQ(days("4714-11-24 BC"), -2'440'588);
  EXPECT_EQ(days("5874897-12-31"), 2'145'042'905);
  EXPECT_EQ(parse_date("infinity")->since_unix, std::nullopt);
  EXPECT_EQ(parse_date("-infinity")->since_unix, std::nullopt);
}

TEST(PgTime, WhatIsNoDateIsNotRead) {
  for (const auto* text : {"", "2023-02-29", "0000-01-01", "4714-11-23 BC", "5874898-01-01",
                           "2020-01-01 ", "2020-01-01 00:00:00", "2020-1-1", "Infinity"}) {
    EXPECT_EQ(parse_date(text).has_value(), false) << text;
  }
}

TEST(PgTime, ACalendarDayIsTheInverseOfADate) {
  const auto printed = [](std::string_view text) {
    const CalendarDay day = calendar_day(*parse_date(text)->since_unix);
    return std::tuple(day.year, day.month, day.day);
  };
  EXPECT_EQ(printed("1970-01-01"), std::tuple(1970, 1U, 1U));
  EXPECT_EQ(printed("0001-12-31 BC"), std::tuple(0, 12U, 31U));
  EXPECT_EQ(printed("0044-03-15 BC"), std::tuple(-43, 3U, 15U));
  EXPECT_EQ(printed("2000-02-29"), std::tuple(2000, 2U, 29U));
  EXPECT_EQ(printed("5874897-12-31"), std::tuple(5874897, 12U, 31U));
  EXPECT_EQ(printed("4714-11-24 BC"), std::tuple(-4713, 11U, 24U));
}

TEST(PgTime, ATimestampIsADayAndATimeOfDay) {
  EXPECT_EQ(PgTimestamp().days_since_unix().count(), 10957);
  EXPECT_EQ(PgTimestamp(-1).days_since_unix().count(), 10956);
  EXPECT_EQ(PgTimestamp(-1).time_of_day().count(), 86'399'999'999);
  EXPECT_EQ(PgTimestamp(kMinTimestamp).days_since_unix().count(), -2'440'588);
}

}  // namespace
}  // namespace walpost
