#include "walpost/pg_time.h"

#include <fmt/format.h>

#include <charconv>
#include <ratio>

namespace walpost {
namespace {

using std::chrono::days;
using std::chrono::microseconds;

// From 1970-01-01 to 2000-01-01.
constexpr days kEpochDifference(10957);

// The last years that PostgreSQL's types can hold; the first is 4714 BC, the first day of dates
// 4714-11-24 BC.
constexpr int kMaxTimestampYear = 294276;
constexpr int kMaxDateYear = 5874897;
constexpr int kMinYear = -4713;
constexpr days kMinDay(-2440588);

// std::chrono::year ends at 32767, hence by whole cycles of 400 years.
constexpr int kCycleYears = 400;
using Cycles = std::chrono::duration<std::int64_t, std::ratio<146'097 * 86'400LL>>;

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

bool is_infinity(std::string_view text) noexcept {
  return text == "infinity" || text == "-infinity";
}

// As printed: the year is of its era.
struct PrintedDate {
  int year;
  int month;
  int day;
};

std::optional<PrintedDate> take_date(std::string_view& text, std::size_t year_digits_max) noexcept {
  const auto year = take_number(text, 4, year_digits_max);
  const auto month = take_two_digits(text, "-", 12);
  const auto day = take_two_digits(text, "-", 31);
  // There is no year 0: the one before 1 is 1 BC.
  if (!year || *year == 0 || !month || !day) return std::nullopt;
  return PrintedDate{.year = *year, .month = *month, .day = *day};
}

std::optional<days> days_since_unix_of(const PrintedDate& printed, bool before_christ,
                                       int max_year) noexcept {
  using namespace std::chrono;
  const int astronomical_year = before_christ ? 1 - printed.year : printed.year;
  if (astronomical_year < kMinYear || astronomical_year > max_year) return std::nullopt;
  const int cycles = astronomical_year / kCycleYears;
  const year_month_day date(year(astronomical_year % kCycleYears),
                            month(static_cast<unsigned>(printed.month)),
                            day(static_cast<unsigned>(printed.day)));
  if (!date.ok()) return std::nullopt;
  return sys_days(date).time_since_epoch() + duration_cast<days>(Cycles(cycles));
}

}  // namespace

PgTimestamp PgTimestamp::from_system(std::chrono::system_clock::time_point time) noexcept {
  const auto since_unix = std::chrono::floor<microseconds>(time.time_since_epoch());
  return PgTimestamp((since_unix - kEpochDifference).count());
}

days PgTimestamp::days_since_unix() const noexcept {
  return std::chrono::floor<days>(microseconds(value_)) + kEpochDifference;
}

microseconds PgTimestamp::time_of_day() const noexcept {
  const microseconds since_2000(value_);
  return since_2000 - std::chrono::floor<days>(since_2000);
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
  if (is_infinity(text)) return ParsedTimestamp{};
  const auto date = take_date(text, 6);
  const auto hour = take_two_digits(text, " ", 24);
  const auto minute = take_two_digits(text, ":", 59);
  const auto second = take_two_digits(text, ":", 60);
  if (!date || !hour || !minute || !second) return std::nullopt;
  const auto fraction = take_fraction(text);
  take(text, "+00");
  const bool before_christ = take(text, " BC");
  if (!fraction || !text.empty()) return std::nullopt;
  const auto day = days_since_unix_of(*date, before_christ, kMaxTimestampYear);
  if (!day) return std::nullopt;
  // Days are counted from 2000 on before they become microseconds, which do not reach
  // PostgreSQL's last years from 1970.
  const microseconds time =
      *day - kEpochDifference + hours(*hour) + minutes(*minute) + seconds(*second);
  const PgTimestamp result((time + *fraction).count());
  if (!result.is_in_range()) return std::nullopt;
  return ParsedTimestamp{result};
}

std::optional<ParsedDate> parse_date(std::string_view text) noexcept {
  if (is_infinity(text)) return ParsedDate{};
  const auto date = take_date(text, 7);
  const bool before_christ = take(text, " BC");
  if (!date || !text.empty()) return std::nullopt;
  const auto day = days_since_unix_of(*date, before_christ, kMaxDateYear);
  if (!day || *day < kMinDay) return std::nullopt;
  return ParsedDate{day};
}

CalendarDay calendar_day(days since_unix) noexcept {
  using namespace std::chrono;
  const auto cycle = floor<Cycles>(since_unix);
  const year_month_day date{sys_days(since_unix - duration_cast<days>(cycle))};
  return {.year = static_cast<int>(date.year()) + cycle.count() * kCycleYears,
          .month = static_cast<unsigned>(date.month()),
          .day = static_cast<unsigned>(date.day())};
}

}  // namespace walpost
