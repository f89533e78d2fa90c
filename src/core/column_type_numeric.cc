#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "value_reader.h"
#include "walpost/java_number.h"

namespace walpost {
namespace {

constexpr std::string_view kDigits = "0123456789";

// The parts of "-1234.50".
struct NumericText {
  bool is_negative = false;
  std::string_view integer;
  std::string_view fraction;
};

bool is_digits(std::string_view text) {
  return text.find_first_not_of(kDigits) == std::string_view::npos;
}

std::optional<NumericText> split_numeric(std::string_view text) {
  NumericText parts;
  parts.is_negative = text.starts_with('-');
  if (parts.is_negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  parts.integer = text.substr(0, point);
  if (point != std::string_view::npos) parts.fraction = text.substr(point + 1);
  if (parts.integer.empty() || !is_digits(parts.integer) || !is_digits(parts.fraction)) {
    return std::nullopt;
  }
  return parts;
}

bool is_special(std::string_view text) {
  return text == "NaN" || text == "Infinity" || text == "-Infinity";
}

NumericText finite_numeric(std::string_view text) {
  if (is_special(text)) {
    throw ValueRefusal("holds NaN or Infinity, which Connect's decimals cannot hold",
                       "use --decimal-handling-mode string or double");
  }
  const auto parts = split_numeric(text);
  if (!parts) refuse_malformed("numeric");
  return *parts;
}

std::string_view without_trailing_zeros(std::string_view digits) {
  const std::size_t last = digits.find_last_not_of('0');
  return last == std::string_view::npos ? std::string_view() : digits.substr(0, last + 1);
}

// Takes `digits` without their leading zeros; "0" has no sign.
Decimal make_decimal(bool is_negative, std::string digits, std::int32_t scale) {
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return {.unscaled = "0", .scale = scale};
  digits.erase(0, first);
  if (is_negative) digits.insert(digits.begin(), '-');
  return {.unscaled = std::move(digits), .scale = scale};
}

// The digits before and after the point in one, at exactly `scale`; nullopt: digits would be lost.
std::optional<std::string> digits_at_scale(const NumericText& parts, std::int32_t scale) {
  std::string digits(parts.integer);
  if (scale >= 0) {
    const auto wanted = static_cast<std::size_t>(scale);
    const std::string_view rest =
        parts.fraction.size() > wanted ? parts.fraction.substr(wanted) : std::string_view();
    if (!without_trailing_zeros(rest).empty()) return std::nullopt;
    digits.append(parts.fraction.substr(0, wanted));
    digits.resize(parts.integer.size() + wanted, '0');
    return digits;
  }
  const auto dropped = static_cast<std::size_t>(-scale);
  if (!without_trailing_zeros(parts.fraction).empty()) return std::nullopt;
  if (parts.integer == "0") return digits;
  if (digits.size() <= dropped) return std::nullopt;
  if (!without_trailing_zeros(std::string_view(digits).substr(digits.size() - dropped)).empty()) {
    return std::nullopt;
  }
  digits.resize(digits.size() - dropped);
  return digits;
}

// Java's BigDecimal.doubleValue and Double.parseDouble: beyond the range to infinity or to zero.
template <typename Float>
std::optional<Float> to_floating(std::string_view text) {
  Float value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ptr != text.data() + text.size()) return std::nullopt;
  if (result.ec == std::errc::result_out_of_range) {
    const std::string_view magnitude = text.substr(text.starts_with('-') ? 1 : 0);
    const bool is_huge = !magnitude.starts_with("0.") && magnitude.find("e-") == std::string::npos;
    const Float size = is_huge ? std::numeric_limits<Float>::infinity() : Float(0);
    return std::copysign(size, text.starts_with('-') ? Float(-1) : Float(1));
  }
  if (result.ec != std::errc()) return std::nullopt;
  // Whatever sign the library gives it: Java has one NaN.
  return std::isnan(value) ? std::numeric_limits<Float>::quiet_NaN() : value;
}

// "$1,234.50", "-$0.05", "($0.05)", "1.234,50 €": as lc_monetary has it. Separators that group
// digits are dropped.
struct MoneyText {
  bool is_negative = false;
  std::string integer;
  std::string fraction;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Where the fraction begins: after the last point or comma, unless that one groups digits. The
// point is the decimal one, as Debezium has it, where both readings are possible.
std::size_t decimal_separator(std::string_view digits) {
  const std::size_t last = digits.find_last_of(".,");
  if (last == std::string_view::npos) return last;
  const char separator = digits[last];
  const bool is_repeated = digits.find(separator) != last;
  const bool has_other = digits.find(separator == '.' ? ',' : '.') != std::string_view::npos;
  if (is_repeated) return std::string_view::npos;
  if (separator == '.' || has_other) return last;
  return digits.size() - last - 1 == 3 ? std::string_view::npos : last;
}

MoneyText split_money(std::string_view text) {
  const std::size_t first = text.find_first_of(kDigits);
  if (first == std::string_view::npos) refuse_malformed("money");
  const std::size_t last = text.find_last_of(kDigits);
  MoneyText money;
  money.is_negative = text.find_first_of("-(") != std::string_view::npos;
  const std::string_view digits = text.substr(first, last + 1 - first);
  const std::size_t point = std::min(decimal_separator(digits), digits.size());
  std::copy_if(digits.begin(), digits.begin() + static_cast<std::ptrdiff_t>(point),
               std::back_inserter(money.integer), is_digit);
  std::copy_if(digits.begin() + static_cast<std::ptrdiff_t>(point), digits.end(),
               std::back_inserter(money.fraction), is_digit);
  if (money.integer.empty()) money.integer = "0";
  return money;
}

std::string plain_text(const MoneyText& money) {
  std::string text(money.is_negative ? "-" : "");
  text += money.integer;
  if (!money.fraction.empty()) text += '.' + money.fraction;
  return text;
}

void increment(std::string& digits) {
  auto digit = digits.rbegin();
  for (; digit != digits.rend() && *digit == '9'; ++digit) *digit = '0';
  if (digit == digits.rend()) {
    digits.insert(digits.begin(), '1');
  } else {
    ++*digit;
  }
}

}  // namespace

std::optional<std::string> numeric_at_scale(std::string_view text, std::int32_t scale) {
  const auto parts = split_numeric(text);
  if (!parts) return std::nullopt;
  auto digits = digits_at_scale(*parts, scale);
  if (!digits) return std::nullopt;
  if (scale <= 0) {
    if (*digits != "0") digits->append(static_cast<std::size_t>(-scale), '0');
  } else {
    digits->insert(digits->size() - static_cast<std::size_t>(scale), 1, '.');
  }
  if (parts->is_negative) digits->insert(digits->begin(), '-');
  return digits;
}

namespace parse {

ConnectValue integer(std::string_view text, const ValueReader&) {
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    refuse_malformed("integer");
  }
  return {value};
}

ConnectValue float4(std::string_view text, const ValueReader&) {
  const auto value = to_floating<float>(text);
  if (!value) refuse_malformed("real");
  return {*value};
}

ConnectValue float8(std::string_view text, const ValueReader&) {
  const auto value = to_floating<double>(text);
  if (!value) refuse_malformed("double precision");
  return {*value};
}

ConnectValue decimal(std::string_view text, const ValueReader& reader) {
  const NumericText parts = finite_numeric(text);
  auto digits = digits_at_scale(parts, reader.scale);
  if (!digits) refuse_malformed("numeric of its column's scale");
  return {make_decimal(parts.is_negative, *std::move(digits), reader.scale)};
}

// io.debezium.data.VariableScaleDecimal: scale, value. Zeros at the end of the fraction go.
ConnectValue variable_scale_decimal(std::string_view text, const ValueReader&) {
  const NumericText parts = finite_numeric(text);
  const std::string_view fraction = without_trailing_zeros(parts.fraction);
  std::string digits(parts.integer);
  digits += fraction;
  const auto scale = static_cast<std::int32_t>(fraction.size());
  const Decimal value = make_decimal(parts.is_negative, std::move(digits), scale);
  ConnectStruct result;
  result.members.reserve(2);
  result.members.push_back({std::int64_t{scale}});
  result.members.push_back({Bytes{twos_complement(value)}});
  return {std::move(result)};
}

ConnectValue numeric_double(std::string_view text, const ValueReader&) {
  if (!is_special(text) && !split_numeric(text)) refuse_malformed("numeric");
  const auto value = to_floating<double>(text);
  if (!value) refuse_malformed("numeric");
  return {*value};
}

ConnectValue numeric_string(std::string_view text, const ValueReader&) {
  if (text == "NaN") return {std::string("NAN")};
  if (text == "Infinity") return {std::string("POSITIVE_INFINITY")};
  if (text == "-Infinity") return {std::string("NEGATIVE_INFINITY")};
  if (!split_numeric(text)) refuse_malformed("numeric");
  return {std::string(text)};
}

// Rounded half away from zero where money.fraction.digits is less than what the server shows.
ConnectValue money_decimal(std::string_view text, const ValueReader& reader) {
  MoneyText money = split_money(text);
  const auto wanted = static_cast<std::size_t>(reader.scale);
  const bool is_rounded_up = money.fraction.size() > wanted && money.fraction[wanted] >= '5';
  money.fraction.resize(wanted, '0');
  std::string digits = money.integer + money.fraction;
  if (is_rounded_up) increment(digits);
  return {make_decimal(money.is_negative, std::move(digits), reader.scale)};
}

ConnectValue money_double(std::string_view text, const ValueReader&) {
  const auto value = to_floating<double>(plain_text(split_money(text)));
  if (!value) refuse_malformed("money");
  return {*value};
}

ConnectValue money_string(std::string_view text, const ValueReader&) {
  return {plain_text(split_money(text))};
}

}  // namespace parse
}  // namespace walpost
