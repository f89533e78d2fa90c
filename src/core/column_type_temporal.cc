#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <iterator>
#include <limits>

#include "value_reader.h"
#include "walpost/pg_time.h"

namespace walpost {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::int64_t kMicrosecondsPerDay = microseconds(days(1)).count();

// What Debezium 3.6.1 makes of the infinities: neighbours of what Java's types reach at most. None
// of them is a date, or a timestamp under its mode, that PostgreSQL could hold; but one, the
// microseconds of infinity, is that of 294247-01-10 04:00:25.2.
struct Infinities {
  std::int64_t positive;
  std::int64_t negative;
};
constexpr Infinities kInfiniteDays = {-2'147'472'692, -2'147'472'691};
constexpr Infinities kInfiniteMs = {9'223'372'036'825'200, -9'223'372'036'832'400};
constexpr Infinities kInfiniteUs = {9'223'372'036'825'200'000, -9'223'372'036'832'400'000};
constexpr Infinities kInfiniteNs = {std::numeric_limits<std::int64_t>::max(),
                                    std::numeric_limits<std::int64_t>::min()};

// Of the text of an infinity.
ConnectValue infinity(std::string_view text, Infinities values) {
  return {text.starts_with('-') ? values.negative : values.positive};
}

// "2020-01-02", "+12345-01-02", "-0043-03-15": ISO 8601 as Java writes it.
void append_iso_date(std::string& out, days since_unix) {
  const CalendarDay date = calendar_day(since_unix);
  if (date.year < 0) {
    fmt::format_to(std::back_inserter(out), "-{:04}", -date.year);
  } else {
    if (date.year > 9999) out += '+';
    fmt::format_to(std::back_inserter(out), "{:04}", date.year);
  }
  fmt::format_to(std::back_inserter(out), "-{:02}-{:02}", date.month, date.day);
}

// As many digits as it takes, none for a whole second.
constexpr int kShortestFraction = 0;

void append_iso_time(std::string& out, microseconds of_day, int fraction_digits) {
  const std::chrono::hh_mm_ss<microseconds> time(of_day);
  fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}", time.hours().count(),
                 time.minutes().count(), time.seconds().count());
  const auto fraction = time.subseconds().count();
  if (fraction_digits == kShortestFraction && fraction == 0) return;
  const std::size_t end = out.size();
  fmt::format_to(std::back_inserter(out), ".{:06}", fraction);
  if (fraction_digits == kShortestFraction) {
    out.resize(out.find_last_not_of('0') + 1);
  } else {
    out.resize(end + 1 + static_cast<std::size_t>(fraction_digits));
  }
}

std::string iso_timestamp(PgTimestamp time, int fraction_digits) {
  std::string out;
  out.reserve(std::string_view("+294276-12-31T23:59:59.999999Z").size());
  append_iso_date(out, time.days_since_unix());
  out += 'T';
  append_iso_time(out, time.time_of_day(), fraction_digits);
  out += 'Z';
  return out;
}

// nullopt: infinity.
std::optional<days> date_of(std::string_view text) {
  const auto date = parse_date(text);
  if (!date) refuse_malformed("date");
  return date->since_unix;
}

std::optional<PgTimestamp> timestamp_of(std::string_view text) {
  const auto timestamp = parse_timestamp(text);
  if (!timestamp) refuse_malformed("timestamp");
  return timestamp->time;
}

// nullopt: beyond 64 bits, in the year 294247.
std::optional<std::int64_t> us_since_unix(PgTimestamp time) {
  std::int64_t us = 0;
  if (__builtin_mul_overflow(time.days_since_unix().count(), kMicrosecondsPerDay, &us) ||
      __builtin_add_overflow(us, time.time_of_day().count(), &us)) {
    return std::nullopt;
  }
  return us;
}

int take_two_digits(std::string_view& text, std::string_view type) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) refuse_malformed(type);
  const int value = (text[0] - '0') * 10 + (text[1] - '0');
  text.remove_prefix(2);
  return value;
}

bool take(std::string_view& text, char expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(1);
  return true;
}

int take_part(std::string_view& text, std::string_view type) {
  if (!take(text, ':')) refuse_malformed(type);
  const int value = take_two_digits(text, type);
  if (value > 59) refuse_malformed(type);
  return value;
}

// "10:34:56.789", up to "24:00:00". Drops what it has read.
microseconds take_time(std::string_view& text, std::string_view type) {
  const hours hour(take_two_digits(text, type));
  const minutes minute(take_part(text, type));
  const seconds second(take_part(text, type));
  microseconds fraction(0);
  if (take(text, '.')) {
    microseconds unit(100'000);
    const std::size_t before = text.size();
    while (!text.empty() && text.front() >= '0' && text.front() <= '9' && unit.count() > 0) {
      fraction += (text.front() - '0') * unit;
      unit /= 10;
      text.remove_prefix(1);
    }
    if (text.size() == before) refuse_malformed(type);
  }
  const microseconds time = hour + minute + second + fraction;
  if (time > days(1)) refuse_malformed(type);
  return time;
}

microseconds time_of(std::string_view text) {
  const microseconds time = take_time(text, "time");
  if (!text.empty()) refuse_malformed("time");
  return time;
}

// "+02", "-05:30", "+00:19:32".
seconds take_offset(std::string_view& text) {
  constexpr std::string_view kType = "time with time zone";
  const bool is_west = text.starts_with('-');
  if (!take(text, is_west ? '-' : '+')) refuse_malformed(kType);
  seconds offset = hours(take_two_digits(text, kType));
  if (!text.empty()) offset += minutes(take_part(text, kType));
  if (!text.empty()) offset += seconds(take_part(text, kType));
  return is_west ? -offset : offset;
}

}  // namespace

namespace parse {

ConnectValue date_days(std::string_view text, const ValueReader&) {
  const auto date = date_of(text);
  if (!date) return infinity(text, kInfiniteDays);
  return {std::int64_t{date->count()}};
}

ConnectValue date_iso(std::string_view text, const ValueReader&) {
  const auto date = date_of(text);
  std::string out;
  const auto& infinite = text.starts_with('-') ? kInfiniteDays.negative : kInfiniteDays.positive;
  append_iso_date(out, date.value_or(days(infinite)));
  out += 'Z';
  return {std::move(out)};
}

ConnectValue time_ms(std::string_view text, const ValueReader&) {
  return {std::int64_t{std::chrono::floor<milliseconds>(time_of(text)).count()}};
}

ConnectValue time_us(std::string_view text, const ValueReader&) {
  return {std::int64_t{time_of(text).count()}};
}

ConnectValue time_ns(std::string_view text, const ValueReader&) {
  return {std::int64_t{std::chrono::nanoseconds(time_of(text)).count()}};
}

// 24:00:00 is 00:00:00Z, for Java's clock ends before it.
ConnectValue time_iso(std::string_view text, const ValueReader&) {
  std::string out;
  append_iso_time(out, time_of(text) % days(1), kShortestFraction);
  out += 'Z';
  return {std::move(out)};
}

ConnectValue timetz(std::string_view text, const ValueReader&) {
  const microseconds local = take_time(text, "time with time zone");
  const seconds offset = take_offset(text);
  if (!text.empty()) refuse_malformed("time with time zone");
  const microseconds utc = (local - offset) % days(1);
  std::string out;
  append_iso_time(out, utc.count() < 0 ? utc + days(1) : utc, kShortestFraction);
  out += 'Z';
  return {std::move(out)};
}

ConnectValue timestamp_ms(std::string_view text, const ValueReader&) {
  const auto time = timestamp_of(text);
  if (!time) return infinity(text, kInfiniteMs);
  const milliseconds of_day = std::chrono::floor<milliseconds>(time->time_of_day());
  return {std::int64_t{(time->days_since_unix() + of_day).count()}};
}

ConnectValue timestamp_us(std::string_view text, const ValueReader&) {
  const auto time = timestamp_of(text);
  if (!time) return infinity(text, kInfiniteUs);
  const auto us = us_since_unix(*time);
  if (!us) {
    throw ValueRefusal("holds a time that 64 bits of microseconds do not reach",
                       "use --time-precision-mode isostring");
  }
  return {*us};
}

ConnectValue timestamp_ns(std::string_view text, const ValueReader&) {
  const auto time = timestamp_of(text);
  if (!time) return infinity(text, kInfiniteNs);
  const auto us = us_since_unix(*time);
  std::int64_t ns = 0;
  if (!us || __builtin_mul_overflow(*us, 1000, &ns)) {
    throw ValueRefusal("holds a time outside of the years 1677 to 2262, the reach of nanoseconds",
                       "use --time-precision-mode microseconds or isostring");
  }
  return {ns};
}

ConnectValue timestamp_iso(std::string_view text, const ValueReader&) {
  const auto time = timestamp_of(text);
  if (time) return {iso_timestamp(*time, kShortestFraction)};
  return {std::string(text.starts_with('-') ? "-290308-12-21T19:59:27.6Z"
                                            : "+294247-01-10T04:00:25.2Z")};
}

ConnectValue timestamptz(std::string_view text, const ValueReader& reader) {
  const auto time = timestamp_of(text);
  if (!time) return {std::string(text)};
  return {iso_timestamp(*time, reader.scale)};
}

}  // namespace parse
}  // namespace walpost
