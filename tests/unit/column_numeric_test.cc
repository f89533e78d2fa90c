#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "column_type_fixture.h"
#include "walpost/column_type.h"

// Expected values are those of Debezium 3.6.1 over PostgreSQL 15, but where a test says otherwise.

namespace walpost {
namespace {

using namespace column_type_fixture;
using testing::HasSubstr;

TEST(ColumnNumeric, Integers) {
  EXPECT_EQ(made(kInt2, "-32768"), "int16?: -32768");
  EXPECT_EQ(made(kInt4, "2147483647"), "int32?: 2147483647");
  EXPECT_EQ(made(kInt8, "-9223372036854775808"), "int64?: -9223372036854775808");
  EXPECT_EQ(made(kOidType, "4294967295"), "int64?: 4294967295");
  EXPECT_THAT(refusal(make(kInt4), "1x"), HasSubstr("integer"));
  EXPECT_THAT(refusal(make(kInt8), "9223372036854775808"), HasSubstr("integer"));
}

TEST(ColumnNumeric, FloatsAndTheirSpecialValues) {
  EXPECT_EQ(made(kFloat4, "0.1"), "float?: 0.1f");
  EXPECT_EQ(made(kFloat4, "1e-45"), "float?: 1e-45f");
  EXPECT_EQ(made(kFloat4, "-0"), "float?: -0f");
  EXPECT_EQ(made(kFloat4, "NaN"), "float?: nanf");
  EXPECT_EQ(made(kFloat4, "-Infinity"), "float?: -inff");
  EXPECT_EQ(made(kFloat8, "1e-05"), "double?: 1e-05");
  EXPECT_EQ(made(kFloat8, "1.7976931348623157e+308"), "double?: 1.7976931348623157e+308");
  EXPECT_EQ(made(kFloat8, "Infinity"), "double?: inf");
  EXPECT_THAT(refusal(make(kFloat8), "1.0x"), HasSubstr("double"));
}

TEST(ColumnNumeric, NumericOfAScale) {
  const std::string schema =
      "bytes? org.apache.kafka.connect.data.Decimal {scale=2, connect.decimal.precision=9}: ";
  EXPECT_EQ(made(kNumeric9_2, "12.50"), schema + "1250e-2");
  EXPECT_EQ(made(kNumeric9_2, "-0.05"), schema + "-5e-2");
  EXPECT_EQ(made(kNumeric9_2, "0.00"), schema + "0e-2");
  using enum DecimalHandlingMode;
  EXPECT_EQ(made(kNumeric9_2, "-0.05", with(kDouble)), "double?: -0.05");
  EXPECT_EQ(made(kNumeric9_2, "12.50", with(kString)), "string?: '12.50'");
  EXPECT_EQ(made({1700, numeric_typmod(2, 4)}, "0.0012"),
            "bytes? org.apache.kafka.connect.data.Decimal {scale=4, connect.decimal.precision=2}: "
            "12e-4");
}

TEST(ColumnNumeric, NumericOfANegativeScaleHasItWhereDebeziumHas2046) {
  const Type type{1700, numeric_typmod(3, -2)};
  EXPECT_EQ(made(type, "12300"),
            "bytes? org.apache.kafka.connect.data.Decimal {scale=-2, connect.decimal.precision=3}: "
            "123e2");
  EXPECT_EQ(made(type, "0"),
            "bytes? org.apache.kafka.connect.data.Decimal {scale=-2, connect.decimal.precision=3}: "
            "0e2");
  EXPECT_EQ(made(type, "12300", with(DecimalHandlingMode::kString)), "string?: '12300'");
  EXPECT_THAT(refusal(make(type), "12345"), HasSubstr("scale"));
}

TEST(ColumnNumeric, NumericWithoutScaleIsAStruct) {
  const std::string schema =
      "struct?<scale int32, value bytes> io.debezium.data.VariableScaleDecimal "
      "\"Variable scaled decimal\": ";
  EXPECT_EQ(made(kNumeric, "12.500"), schema + "(1, 0x7d)");
  EXPECT_EQ(made(kNumeric, "1200"), schema + "(0, 0x04b0)");
  EXPECT_EQ(made(kNumeric, "0.00000012"), schema + "(8, 0x0c)");
  EXPECT_EQ(made(kNumeric, "0"), schema + "(0, 0x00)");
  EXPECT_EQ(made(kNumeric, "-1.10"), schema + "(1, 0xf5)");
  EXPECT_EQ(made(kNumeric, "1000000000000000000000000000000"),
            schema + "(0, 0x0c9f2c9cd04674edea40000000)");
  using enum DecimalHandlingMode;
  EXPECT_EQ(made(kNumeric, "12.500", with(kString)), "string?: '12.500'");
  EXPECT_EQ(made(kNumeric, "12.500", with(kDouble)), "double?: 12.5");
}

TEST(ColumnNumeric, NumericsThatAreNoNumbers) {
  using enum DecimalHandlingMode;
  EXPECT_EQ(made(kNumeric, "NaN", with(kString)), "string?: 'NAN'");
  EXPECT_EQ(made(kNumeric, "Infinity", with(kString)), "string?: 'POSITIVE_INFINITY'");
  EXPECT_EQ(made(kNumeric, "-Infinity", with(kString)), "string?: 'NEGATIVE_INFINITY'");
  EXPECT_EQ(made(kNumeric9_2, "NaN", with(kDouble)), "double?: nan");
  EXPECT_EQ(made(kNumeric, "-Infinity", with(kDouble)), "double?: -inf");
  for (const auto* text : {"NaN", "Infinity", "-Infinity"}) {
    for (const Type type : {kNumeric, kNumeric9_2}) {
      EXPECT_THAT(refusal(make(type), text), HasSubstr("NaN or Infinity")) << text;
    }
  }
}

TEST(ColumnNumeric, NumericsBeyondADouble) {
  const ValueModes modes = with(DecimalHandlingMode::kDouble);
  EXPECT_EQ(made(kNumeric, "-1" + std::string(400, '0'), modes), "double?: -inf");
  EXPECT_EQ(made(kNumeric, "0." + std::string(400, '0') + "1", modes), "double?: 0.0");
}

TEST(ColumnNumeric, MoneyInEachMode) {
  const std::string schema = "bytes? org.apache.kafka.connect.data.Decimal {scale=2}: ";
  EXPECT_EQ(made(kMoney, "$1,234.50"), schema + "123450e-2");
  EXPECT_EQ(made(kMoney, "-$0.05"), schema + "-5e-2");
  EXPECT_EQ(made(kMoney, "-$92,233,720,368,547,758.08"), schema + "-9223372036854775808e-2");
  using enum DecimalHandlingMode;
  EXPECT_EQ(made(kMoney, "-$0.05", with(kDouble)), "double?: -0.05");
  EXPECT_EQ(made(kMoney, "$1,234.50", with(kString)), "string?: '1234.50'");
}

TEST(ColumnNumeric, MoneyIsRoundedToItsFractionDigits) {
  const auto money = [](std::string_view text, std::uint8_t digits) {
    return value(make(kMoney, {.money_fraction_digits = digits}), text);
  };
  EXPECT_EQ(money("$1,234.50", 0), "1235e0");
  EXPECT_EQ(money("-$0.05", 0), "0e0");
  EXPECT_EQ(money("-$0.05", 1), "-1e-1");
  EXPECT_EQ(money("$9.99", 1), "100e-1");
  EXPECT_EQ(money("$1,234.50", 4), "12345000e-4");
}

TEST(ColumnNumeric, MoneyOfOtherLocales) {
  const ColumnType type = make(kMoney);
  EXPECT_EQ(value(type, "1.234,50 €"), "123450e-2");
  EXPECT_EQ(value(type, "-1.234.567,05 €"), "-123456705e-2");
  EXPECT_EQ(value(type, "0,05 €"), "5e-2");
  EXPECT_EQ(value(type, "(£0.05)"), "-5e-2");
  EXPECT_EQ(value(type, "¥1,234"), "123400e-2");
  EXPECT_EQ(value(type, "¥1,234,567"), "123456700e-2");
  EXPECT_EQ(value(type, "$5.00"), "500e-2");
  EXPECT_THAT(refusal(type, "$"), HasSubstr("money"));
}

}  // namespace
}  // namespace walpost
