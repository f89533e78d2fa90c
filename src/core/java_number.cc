#include "walpost/java_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

#include "walpost/check.h"

namespace walpost {
namespace {

// d.ddd × 10^exponent, without the point.
struct Digits {
  std::string digits;
  int exponent = 0;
};

// Reads "1.25e+03", what std::to_chars writes.
Digits split_scientific(std::string_view text) {
  const std::size_t e = text.find('e');
  Digits result;
  for (const char c : text.substr(0, e)) {
    if (c != '.') result.digits += c;
  }
  std::string_view exponent = text.substr(e + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
  return result;
}

// The shortest digits that read back as `magnitude`. Java writes at least two, and takes the
// two-digit number that is nearest, which matters among the subnormal numbers: 4.9E-324 rather than
// 5.0E-324.
template <typename Float>
Digits shortest_digits(Float magnitude) {
  std::array<char, 40> buffer{};
  char* const begin = buffer.data();
  char* const end = begin + buffer.size();
  const auto shortest = std::to_chars(begin, end, magnitude, std::chars_format::scientific);
  Digits digits = split_scientific({begin, shortest.ptr});
  if (digits.digits.size() > 1) return digits;

  const auto nearest = std::to_chars(begin, end, magnitude, std::chars_format::scientific, 1);
  Float read_back = 0;
  const auto read = std::from_chars(begin, nearest.ptr, read_back);
  if (read.ec == std::errc() && read_back == magnitude)
    digits = split_scientific({begin, nearest.ptr});
  return digits;
}

template <typename Float>
void append_floating(std::string& out, Float value) {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  if (std::signbit(value)) out += '-';
  if (std::isinf(value)) {
    out += "Infinity";
    return;
  }
  if (value == 0) {
    out += "0.0";
    return;
  }
  auto [digits, exponent] = shortest_digits(std::abs(value));
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();

  const bool plain = exponent >= -3 && exponent < 7;
  if (plain && exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out += digits;
    return;
  }
  const std::size_t whole = plain ? static_cast<std::size_t>(exponent) + 1 : 1;
  if (digits.size() < whole + 1) digits.append(whole + 1 - digits.size(), '0');
  out.append(digits, 0, whole);
  out += '.';
  out.append(digits, whole);
  if (!plain) {
    out += 'E';
    out += std::to_string(exponent);
  }
}

// The magnitude of a decimal number in base 2^32, least significant limb first.
std::vector<std::uint32_t> limbs_of(std::string_view digits) {
  constexpr std::size_t kGroup = 9;  // 10^9 < 2^32
  std::vector<std::uint32_t> limbs;
  while (!digits.empty()) {
    const std::size_t count = (digits.size() - 1) % kGroup + 1;
    std::uint64_t carry = 0;
    std::from_chars(digits.data(), digits.data() + count, carry);
    std::uint64_t factor = 1;
    for (std::size_t i = 0; i < count; ++i) factor *= 10;
    for (std::uint32_t& limb : limbs) {
      const std::uint64_t product = limb * factor + carry;
      limb = static_cast<std::uint32_t>(product);
      carry = product >> 32U;
    }
    if (carry != 0) limbs.push_back(static_cast<std::uint32_t>(carry));
    digits.remove_prefix(count);
  }
  return limbs;
}

}  // namespace

void append_java_number(std::string& out, double value) { append_floating(out, value); }
void append_java_number(std::string& out, float value) { append_floating(out, value); }

void append_java_number(std::string& out, const Decimal& value) {
  std::string_view digits = value.unscaled;
  CHECK(!digits.empty());
  if (digits.front() == '-') {
    out += '-';
    digits.remove_prefix(1);
  }
  const auto digit_count = static_cast<std::int64_t>(digits.size());
  const std::int64_t exponent = digit_count - 1 - std::int64_t{value.scale};
  if (value.scale == 0) {
    out += digits;
  } else if (value.scale > 0 && exponent >= -6) {
    const std::int64_t whole = digit_count - value.scale;
    if (whole > 0) {
      out += digits.substr(0, static_cast<std::size_t>(whole));
      out += '.';
      out += digits.substr(static_cast<std::size_t>(whole));
    } else {
      out += "0.";
      out.append(static_cast<std::size_t>(-whole), '0');
      out += digits;
    }
  } else {
    out += digits.front();
    if (digits.size() > 1) {
      out += '.';
      out += digits.substr(1);
    }
    if (exponent != 0) {
      out += exponent > 0 ? "E+" : "E";
      out += std::to_string(exponent);
    }
  }
}

std::string twos_complement(const Decimal& value) {
  std::string_view digits = value.unscaled;
  CHECK(!digits.empty());
  const bool negative = digits.front() == '-';
  if (negative) digits.remove_prefix(1);

  std::string bytes;  // least significant first, until the end
  bool carry = negative;
  for (std::uint32_t limb : limbs_of(digits)) {
    if (negative) limb = ~limb + (carry ? 1U : 0U);
    carry = carry && limb == 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes += static_cast<char>(limb >> shift & 0xFFU);
    }
  }
  // A sign byte to begin with, then all that only repeat the sign of the byte after them go.
  const char sign = negative && !carry ? '\xff' : '\0';
  bytes += sign;
  const auto repeats = [&] {
    return (static_cast<unsigned char>(bytes[bytes.size() - 2]) & 0x80U) ==
           (static_cast<unsigned char>(sign) & 0x80U);
  };
  while (bytes.size() > 1 && bytes.back() == sign && repeats()) bytes.pop_back();
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

}  // namespace walpost
