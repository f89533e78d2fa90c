#include "walpost/pg_time.h"

#include <fmt/format.h>

#include <charconv>

namespace walpost {
namespace {

using std::chrono::days;
using std::chrono::microseconds;

// From 1970-01-01 to 2000-01-01.
constexpr days kEpochDifference(10957);

// Last year that PostgreSQL's timestamp can hold; the first is 4714 BC.
constexpr int kMaxYear = 294276;
constexpr int kMinYear = -4713;

// Reads `count_min` to `count_max` digits at the front of `text` and drops them.
std::optional<int> take_number(std::string_view& text, std::size_t count_min,
                               std::size_t count_max) noexcept {
  std::size_t count = 0;
  while (count < text.size() && count < count_max && text[count] >= '0' && text[count] <= '9') {
    ++count;
  }
  if (count < count_min) return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + count, value);
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view expected) noexcept {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

std::optional<int> take_two_digits(std::string_view& text, std::string_view before,
                                   int max) noexcept {
  if (!take(text, before)) return std::nullopt;
  const auto value = take_number(text, 2, 2);
  if (!value || *value > max) return std::nullopt;
  return value;
}

// ".123456", as many digits as the column prints, or nothing.
std::optional<microseconds> take_fraction(std::string_view& text) noexcept {
  if (!take(text, ".")) return microseconds(0);
  const auto before = text.size();
  const auto value = take_number(text, 1, 6);
  if (!value) return std::nullopt;
  int scaled = *value;
  for (auto digits = before - text.size(); digits < 6; ++digits) scaled *= 10;
  return microseconds(scaled);
}

}  // namespace

PgTimestamp PgTimestamp::from_system(std::chrono::system_clock::time_point time) noexcept {
  const auto since_unix = std::chrono::floor<microseconds>(time.time_since_epoch());
  return PgTimestamp((since_unix - kEpochDifference).count());
}

std::int64_t PgTimestamp::to_unix_ms() const noexcept {
  // In milliseconds first: PostgreSQL's last years do not fit into microseconds since 1970.
  using std::chrono::milliseconds;
  const std::int64_t ms =
      value_ / 1000 + std::chrono::duration_cast<milliseconds>(kEpochDifference).count();
  const std::int64_t rest_us = value_ % 1000;
  if (ms > 0 && rest_us < 0) return ms - 1;
  if (ms < 0 && rest_us > 0) return ms + 1;
  return ms;
}

std::string PgTimestamp::to_string() const {
  using namespace std::chrono;
  const auto since_epoch = microseconds(value_);
  const auto day = floor<days>(since_epoch);
  const year_month_day date(sys_days(day + kEpochDifference));
  const hh_mm_ss<microseconds> clock(since_epoch - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<ParsedTimestamp> parse_timestamp(std::string_view text) noexcept {
  using namespace std::chrono;
  if (text == "infinity" || text == "-infinity") return ParsedTimestamp{};
  const auto year_digits = take_number(text, 4, 6);
  const auto month_number = take_two_digits(text, "-", 12);
  const auto day_number = take_two_digits(text, "-", 31);
  const auto hour = take_two_digits(text, " ", 24);
  const auto minute = take_two_digits(text, ":", 59);
  const auto second = take_two_digits(text, ":", 60);
  // There is no year 0: the one before 1 is 1 BC.
  if (!year_digits || *year_digits == 0 || !month_number || !day_number || !hour || !minute ||
      !second) {
    return std::nullopt;
  }
  const auto fraction = take_fraction(text);
  take(text, "+00");
  const bool before_christ = take(text, " BC");
  if (!fraction || !text.empty()) return std::nullopt;
  const int astronomical_year = before_christ ? 1 - *year_digits : *year_digits;
  if (astronomical_year < kMinYear || astronomical_year > kMaxYear) return std::nullopt;
  // std::chrono::year ends at 32767, hence by whole cycles of 400 years, each of 146,097 days.
  constexpr int kCycleYears = 400;
  constexpr days kCycleDays(146097);
  const int cycles = astronomical_year / kCycleYears;
  const year_month_day date(year(astronomical_year % kCycleYears),
                            month(static_cast<unsigned>(*month_number)),
                            day(static_cast<unsigned>(*day_number)));
  if (!date.ok()) return std::nullopt;
  // Days are counted from 2000 on before they become microseconds, which do not reach
  // PostgreSQL's last years from 1970.
  const days day_count = sys_days(date).time_since_epoch() + cycles * kCycleDays - kEpochDifference;
  const microseconds time = day_count + hours(*hour) + minutes(*minute) + seconds(*second);
  const PgTimestamp result((time + *fraction).count());
  if (!result.is_in_range()) return std::nullopt;
  return ParsedTimestamp{result};
}

}  // namespace walpost
