#pragma once

#include <string>

#include "walpost/connect_value.h"

namespace walpost {

// How Java writes numbers, byte for byte: what Kafka Connect's converters are made of.

// Double.toString and Float.toString of JDK 19 and later: the shortest digits that read back as the
// same number, plain from 10^-3 up to 10^7, else with an exponent ("1.0E10", "1.0E-5"). NaN and the
// infinities are "NaN", "Infinity", "-Infinity". The overload decides which of the two.
void append_java_number(std::string& out, double value);
void append_java_number(std::string& out, float value);

// BigDecimal.toString: with an exponent where the scale is negative or the number below 10^-6
// ("1E+3", "1E-10").
void append_java_number(std::string& out, const Decimal& value);

// BigInteger.toByteArray of the unscaled value: two's complement, big-endian, as few bytes as it
// takes. The bytes of Connect's Decimal.
[[nodiscard]] std::string twos_complement(const Decimal& value);

}  // namespace walpost
