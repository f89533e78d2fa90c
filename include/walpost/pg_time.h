#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace walpost {

// PostgreSQL's TimestampTz: microseconds since 2000-01-01 00:00:00 UTC.
class PgTimestamp final {
 public:
  constexpr PgTimestamp() noexcept = default;
  constexpr explicit PgTimestamp(std::int64_t microseconds) noexcept : value_(microseconds) {}

  [[nodiscard]] static PgTimestamp from_system(std::chrono::system_clock::time_point time) noexcept;

  // Microseconds since 2000-01-01, as on the wire.
  [[nodiscard]] constexpr std::int64_t value() const noexcept { return value_; }
  // Within what PostgreSQL's timestamp can hold: 4714-11-24 BC to the end of the year 294276.
  // Infinity is outside.
  [[nodiscard]] constexpr bool is_in_range() const noexcept {
    return value_ >= kMinValue && value_ < kEndValue;
  }
  // Days since 1970-01-01, and the rest of the value within the day.
  [[nodiscard]] std::chrono::days days_since_unix() const noexcept;
  [[nodiscard]] std::chrono::microseconds time_of_day() const noexcept;
  // Milliseconds since 1970-01-01 as in a Kafka record, rounded towards zero as Debezium does.
  [[nodiscard]] std::int64_t to_unix_ms() const noexcept;
  // "2026-01-02T03:04:05.678901Z".
  [[nodiscard]] std::string to_string() const;

  friend constexpr auto operator<=>(PgTimestamp, PgTimestamp) noexcept = default;

 private:
  // datatype/timestamp.h: MIN_TIMESTAMP, END_TIMESTAMP.
  static constexpr std::int64_t kMinValue = -211'813'488'000'000'000;
  static constexpr std::int64_t kEndValue = 9'223'371'331'200'000'000;

  std::int64_t value_ = 0;
};

// What the text of a timestamp or timestamptz column means.
struct ParsedTimestamp {
  // nullopt: 'infinity' or '-infinity', a legal value that is no point in time.
  std::optional<PgTimestamp> time;
};

// Reads the output of a timestamp or timestamptz column under DateStyle=ISO, TimeZone=UTC, the
// settings that walpost pins: "2024-02-29 23:59:59.123456", with "+00" after it for timestamptz,
// " BC" at the end before year 1. Without a zone the value is read as UTC. nullopt: not that form,
// or outside PostgreSQL's range.
[[nodiscard]] std::optional<ParsedTimestamp> parse_timestamp(std::string_view text) noexcept;

// What the text of a date column means.
struct ParsedDate {
  // nullopt: 'infinity' or '-infinity'. Signed days since 1970-01-01.
  std::optional<std::chrono::days> since_unix;
};

// The same for a date column: "2024-02-29", "0044-03-15 BC". Up to the year 5874897.
[[nodiscard]] std::optional<ParsedDate> parse_date(std::string_view text) noexcept;

// A day of the proleptic Gregorian calendar; its year 0 is 1 BC.
struct CalendarDay {
  std::int64_t year;
  unsigned month;
  unsigned day;
};

// std::chrono::year_month_day ends at the year 32767.
[[nodiscard]] CalendarDay calendar_day(std::chrono::days since_unix) noexcept;

}  // namespace walpost
