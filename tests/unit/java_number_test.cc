#include "walpost/java_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace walpost {
namespace {

template <typename Number>
std::string text_of(const Number& number) {
  std::string text;
  append_java_number(text, number);
  return text;
}

template <typename Number>
struct NumberCase {
  Number number;
  const char* text;
};

TEST(JavaNumberTest, DoublesArePlainBetweenAThousandthAndTenMillion) {
  const std::vector<NumberCase<double>> cases = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {100.0, "100.0"},
      {-4.9, "-4.9"},
      {0.1, "0.1"},
      {0.3, "0.3"},
      {0.1 + 0.2, "0.30000000000000004"},
      {0.001, "0.001"},
      {0.00099, "9.9E-4"},
      {1e-5, "1.0E-5"},
      {9999999.0, "9999999.0"},
      {9999999.999999998, "9999999.999999998"},
      {1e7, "1.0E7"},
      {12345678.9, "1.23456789E7"},
      {1e10, "1.0E10"},
      {1e22, "1.0E22"},
      {1e23, "1.0E23"},
      {2e23, "2.0E23"},
      {-1.5e-300, "-1.5E-300"},
      {0.1234567890123456789, "0.12345678901234568"},
      {1.7976931348623157e308, "1.7976931348623157E308"},
      {2.2250738585072014e-308, "2.2250738585072014E-308"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(text_of(number), text);
}

TEST(JavaNumberTest, SubnormalNumbersShowTheNearestOfTwoDigits) {
  EXPECT_EQ(text_of(4.9e-324), "4.9E-324") << "5E-324 would be shorter";
  EXPECT_EQ(text_of(9.9e-324), "9.9E-324") << "1E-323 would be shorter";
  EXPECT_EQ(text_of(1.4e-45F), "1.4E-45");
  EXPECT_EQ(text_of(2.8e-45F), "2.8E-45");
}

TEST(JavaNumberTest, FloatsHaveTheirOwnShortestDigits) {
  const std::vector<NumberCase<float>> cases = {
      {0.1F, "0.1"},         {1e10F, "1.0E10"},         {16777216.0F, "1.6777216E7"},
      {3.14159F, "3.14159"}, {1.0E-3F, "0.001"},        {3.4028235e38F, "3.4028235E38"},
      {2e-3F, "0.002"},      {9999999.0F, "9999999.0"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(text_of(number), text);
}

TEST(JavaNumberTest, WhatIsNotFiniteHasJavasNames) {
  EXPECT_EQ(text_of(std::nan("")), "NaN");
  EXPECT_EQ(text_of(-std::nan("")), "NaN");
  EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(text_of(-std::numeric_limits<float>::infinity()), "-Infinity");
}

TEST(JavaNumberTest, DecimalsShowTheirScale) {
  struct Case {
    Decimal number;
    const char* text;
  };
  const std::vector<Case> cases = {
      {{"1250", 2}, "12.50"},
      {{"0", 0}, "0"},
      {{"0", 2}, "0.00"},
      {{"0", 7}, "0E-7"},
      {{"0", -3}, "0E+3"},
      {{"1", -3}, "1E+3"},
      {{"-15", -2}, "-1.5E+3"},
      {{"1", 10}, "1E-10"},
      {{"123", 9}, "1.23E-7"},
      {{"1", 6}, "0.000001"},
      {{"1", 7}, "1E-7"},
      {{"-5", 1}, "-0.5"},
      {{"123456789", 9}, "0.123456789"},
      {{"12345678901234567890", 0}, "12345678901234567890"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(text_of(number), text);
}

TEST(JavaNumberTest, TwosComplementTakesAsFewBytesAsItCan) {
  struct Case {
    const char* unscaled;
    std::string bytes;
  };
  const std::vector<Case> cases = {
      {"0", std::string(1, '\0')},
      {"1", "\x01"},
      {"127", "\x7f"},
      {"128", std::string("\0\x80", 2)},
      {"255", std::string("\0\xff", 2)},
      {"256", std::string("\x01\0", 2)},
      {"1250", "\x04\xe2"},
      {"-1", "\xff"},
      {"-128", "\x80"},
      {"-129", "\xff\x7f"},
      {"-256", std::string("\xff\0", 2)},
      {"4294967296", std::string("\x01\0\0\0\0", 5)},
      {"-4294967296", std::string("\xff\0\0\0\0", 5)},
      {"9223372036854775807", "\x7f\xff\xff\xff\xff\xff\xff\xff"},
      {"-9223372036854775808", std::string("\x80\0\0\0\0\0\0\0", 8)},
      {"18446744073709551616", std::string("\x01\0\0\0\0\0\0\0\0", 9)},
  };
  for (const auto& [unscaled, bytes] : cases) {
    EXPECT_EQ(twos_complement({.unscaled = unscaled, .scale = 0}), bytes) << unscaled;
  }
}

}  // namespace
}  // namespace walpost
