#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <system_error>

#include "value_reader.h"

namespace walpost {
namespace {

// "-1 years -2 mons +3 days -04:05:06.789", under IntervalStyle=postgres: each part has its own
// sign, the clock one for all of its parts.
struct Interval {
  std::int64_t years = 0;
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  std::int64_t seconds = 0;
  std::int64_t microseconds = 0;
};

std::string_view take_word(std::string_view& text) {
  const std::size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

// Without a sign.
std::int64_t take_number(std::string_view& text) {
  std::int64_t value = 0;
  const bool is_digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!is_digit || result.ec != std::errc()) refuse_malformed("interval");
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return value;
}

bool take_sign(std::string_view& text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  return is_negative;
}

void take_colon(std::string_view& text) {
  if (!text.starts_with(':')) refuse_malformed("interval");
  text.remove_prefix(1);
}

void read_clock(Interval& interval, std::string_view word) {
  const bool is_negative = take_sign(word);
  interval.hours = take_number(word);
  take_colon(word);
  interval.minutes = take_number(word);
  take_colon(word);
  interval.seconds = take_number(word);
  if (word.starts_with('.')) {
    word.remove_prefix(1);
    const std::size_t digit_count = word.size();
    if (digit_count > 6) refuse_malformed("interval");
    interval.microseconds = take_number(word);
    for (std::size_t i = digit_count; i < 6; ++i) interval.microseconds *= 10;
  }
  if (!word.empty() || interval.minutes > 59 || interval.seconds > 59) refuse_malformed("interval");
  if (is_negative) {
    for (auto* part :
         {&interval.hours, &interval.minutes, &interval.seconds, &interval.microseconds}) {
      *part = -*part;
    }
  }
}

std::int64_t& part_of(Interval& interval, std::string_view unit) {
  if (unit == "year" || unit == "years") return interval.years;
  if (unit == "mon" || unit == "mons") return interval.months;
  if (unit == "day" || unit == "days") return interval.days;
  refuse_malformed("interval");
}

Interval parse_interval(std::string_view text) {
  if (text == "infinity" || text == "-infinity") {
    throw ValueRefusal("holds an infinite interval, for which Debezium's schema has no value");
  }
  Interval interval;
  if (text.empty()) refuse_malformed("interval");
  while (!text.empty()) {
    std::string_view word = take_word(text);
    if (word.find(':') != std::string_view::npos) {
      read_clock(interval, word);
      if (!text.empty()) refuse_malformed("interval");
      break;
    }
    const bool is_negative = take_sign(word);
    const std::int64_t number = take_number(word);
    if (!word.empty()) refuse_malformed("interval");
    part_of(interval, take_word(text)) = is_negative ? -number : number;
  }
  return interval;
}

}  // namespace

namespace parse {

// Months are 30.4375 days. In floating point, in Debezium's order of operations, because its
// rounding is part of the result.
ConnectValue interval_us(std::string_view text, const ValueReader&) {
  constexpr double kDaysPerMonth = 365.25 / 12.0;
  const Interval interval = parse_interval(text);
  const double seconds = static_cast<double>(interval.seconds) +
                         static_cast<double>(interval.microseconds) / 1'000'000.0;
  const double all_days =
      static_cast<double>(interval.years * 12 + interval.months) * kDaysPerMonth +
      static_cast<double>(interval.days);
  const double all_seconds = (((all_days * 24 + static_cast<double>(interval.hours)) * 60) +
                              static_cast<double>(interval.minutes)) *
                                 60 +
                             seconds;
  const double us = std::trunc(all_seconds * 1e6);
  // 2^63 is exact as a double; the greatest number of 64 bits is not.
  if (!(us >= -0x1p63 && us < 0x1p63)) {
    throw ValueRefusal("holds an interval that 64 bits of microseconds do not reach",
                       "use --interval-handling-mode string");
  }
  return {static_cast<std::int64_t>(us)};
}

ConnectValue interval_iso(std::string_view text, const ValueReader&) {
  const Interval interval = parse_interval(text);
  std::string out = fmt::format("P{}Y{}M{}DT{}H{}M", interval.years, interval.months, interval.days,
                                interval.hours, interval.minutes);
  if (interval.seconds < 0 || interval.microseconds < 0) out += '-';
  fmt::format_to(std::back_inserter(out), "{}", std::abs(interval.seconds));
  if (interval.microseconds != 0) {
    fmt::format_to(std::back_inserter(out), ".{:06}", std::abs(interval.microseconds));
    out.resize(out.find_last_not_of('0') + 1);
  }
  out += 'S';
  return {std::move(out)};
}

}  // namespace parse
}  // namespace walpost
