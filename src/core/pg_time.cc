#include "walpost/pg_time.h"

#include <fmt/format.h>

#include <charconv>

namespace walpost {
namespace {

using std::chrono::days;
using std::chrono::microseconds;

// From 1970-01-01 to 2000-01-01.
constexpr microseconds kEpochDifference = days(10957);

// Last year that PostgreSQL's timestamp can hold; the first is 4713 BC.
constexpr int kMaxYear = 294276;
constexpr int kMinYear = -4712;

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
  return (microseconds(value_) + kEpochDifference).count() / 1000;
}

std::string PgTimestamp::to_string() const {
  using namespace std::chrono;
  const sys_time<microseconds> time(microseconds(value_) + kEpochDifference);
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss<microseconds> clock(time - day);
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
  if (!year_digits || !month_number || !day_number || !hour || !minute || !second) {
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
  const microseconds since_unix = sys_days(date).time_since_epoch() + cycles * kCycleDays +
                                  hours(*hour) + minutes(*minute) + seconds(*second) + *fraction;
  return ParsedTimestamp{PgTimestamp((since_unix - kEpochDifference).count())};
}

}  // namespace walpost
