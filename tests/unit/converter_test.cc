#include "walpost/converter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "walpost/error.h"
#include "wire/thrown.h"

// The expected bytes were recorded from Kafka Connect 4.3.1, except where a name says otherwise.

namespace walpost {
namespace {

constexpr std::string_view kConnect = "org.apache.kafka.connect.data.";

ConnectSchema plain(ConnectType type) {
  ConnectSchema schema;
  schema.type = type;
  return schema;
}

ConnectSchema optional_of(ConnectType type) {
  ConnectSchema schema = plain(type);
  schema.optional = true;
  return schema;
}

ConnectSchema named(ConnectType type, std::string_view name) {
  ConnectSchema schema = plain(type);
  schema.name = name;
  schema.version = 1;
  return schema;
}

ConnectSchema array_of(const ConnectSchema& element) {
  ConnectSchema schema = optional_of(ConnectType::kArray);
  schema.element = std::make_shared<ConnectSchema>(element);
  return schema;
}

ConnectSchema map_of(const ConnectSchema& element) {
  ConnectSchema schema = optional_of(ConnectType::kMap);
  schema.key = std::make_shared<ConnectSchema>(plain(ConnectType::kString));
  schema.element = std::make_shared<ConnectSchema>(element);
  return schema;
}

ConnectSchema decimal(int scale) {
  ConnectSchema schema = named(ConnectType::kBytes, std::string(kConnect) + "Decimal");
  schema.parameters = {{"scale", std::to_string(scale)}};
  return schema;
}

ConnectValue text(const char* utf8) { return {std::string(utf8)}; }
ConnectValue integer(std::int64_t value) { return {value}; }

std::string json(const ConnectSchema& schema, const ConnectValue& value, JsonFormat format = {}) {
  std::string out;
  append_json(out, &schema, value, format);
  return out;
}

std::string json_with_schema(const ConnectSchema& schema, const ConnectValue& value,
                             JsonFormat format = {}) {
  std::string out;
  append_json_with_schema(out, &schema, value, format);
  std::string cached;
  SchemaJson(std::make_shared<ConnectSchema>(schema), format).append(cached, value);
  EXPECT_EQ(cached, out);
  return out;
}

// struct "s.V" version 4: a int32, b optional string with default, c optional string, d array.
ConnectSchema example_struct() {
  ConnectSchema schema = named(ConnectType::kStruct, "s.V");
  schema.version = 4;
  ConnectSchema with_default = optional_of(ConnectType::kString);
  with_default.default_value = text("dflt");
  const auto shared = [](const ConnectSchema& member) {
    return std::make_shared<ConnectSchema>(member);
  };
  schema.fields = {{"a", shared(plain(ConnectType::kInt32))},
                   {"b", shared(with_default)},
                   {"c", shared(optional_of(ConnectType::kString))},
                   {"d", shared(array_of(optional_of(ConnectType::kString)))}};
  return schema;
}

ConnectValue example_value() {
  return {ConnectStruct{{integer(1), {}, {}, {ConnectArray{{text("x")}}}}}};
}

// Both forms of JsonConverter.
void expect_json(const ConnectSchema& schema, const ConnectValue& value, const char* bare,
                 const char* with_schema) {
  EXPECT_EQ(json(schema, value), bare);
  EXPECT_EQ(json_with_schema(schema, value), with_schema);
}

TEST(JsonConverterTest, ScalarsHaveConnectsBytes) {
  expect_json(plain(ConnectType::kInt16), integer(5), "5",
              R"({"schema":{"type":"int16","optional":false},"payload":5})");
  expect_json(plain(ConnectType::kInt32), integer(7), "7",
              R"({"schema":{"type":"int32","optional":false},"payload":7})");
  expect_json(optional_of(ConnectType::kInt64), integer(-5), "-5",
              R"({"schema":{"type":"int64","optional":true},"payload":-5})");
  expect_json(plain(ConnectType::kFloat32), {1e10F}, "1.0E10",
              R"({"schema":{"type":"float","optional":false},"payload":1.0E10})");
  expect_json(plain(ConnectType::kFloat64), {1e10}, "1.0E10",
              R"({"schema":{"type":"double","optional":false},"payload":1.0E10})");
  expect_json(plain(ConnectType::kFloat64), {std::nan("")}, R"("NaN")",
              R"({"schema":{"type":"double","optional":false},"payload":"NaN"})");
  expect_json(plain(ConnectType::kFloat32), {-std::numeric_limits<float>::infinity()},
              R"("-Infinity")",
              R"({"schema":{"type":"float","optional":false},"payload":"-Infinity"})");
  expect_json(plain(ConnectType::kBoolean), {true}, "true",
              R"({"schema":{"type":"boolean","optional":false},"payload":true})");
  expect_json(plain(ConnectType::kString), text("inv-7"), R"("inv-7")",
              R"({"schema":{"type":"string","optional":false},"payload":"inv-7"})");
  expect_json(plain(ConnectType::kBytes), {Bytes{"\x01\x02\x03\xff"}}, R"("AQID/w==")",
              R"({"schema":{"type":"bytes","optional":false},"payload":"AQID/w=="})");
  expect_json(
      named(ConnectType::kInt64, std::string(kConnect) + "Timestamp"), integer(1553460779001),
      "1553460779001",
      R"({"schema":{"type":"int64","optional":false,)"
      R"("name":"org.apache.kafka.connect.data.Timestamp","version":1},"payload":1553460779001})");
}

TEST(JsonConverterTest, NamedTypesHaveConnectsBytes) {
  ConnectSchema uuid = named(ConnectType::kString, "io.debezium.data.Uuid");
  uuid.doc = "d\"oc";
  uuid.default_value = text("x");
  ConnectSchema enumeration = named(ConnectType::kString, "io.debezium.data.Enum");
  enumeration.optional = true;
  enumeration.parameters = {{"allowed", "a,b"}};
  ConnectSchema precise = decimal(2);
  precise.optional = true;
  precise.parameters.emplace_back("connect.decimal.precision", "9");
  precise.default_value = ConnectValue{Decimal{"150", 2}};
  ConnectSchema bytes = optional_of(ConnectType::kBytes);
  bytes.default_value = ConnectValue{Bytes{"\x01"}};
  expect_json(
      uuid, text("abc"), R"("abc")",
      R"({"schema":{"type":"string","optional":false,"name":"io.debezium.data.Uuid","version":1,)"
      R"("doc":"d\"oc","default":"x"},"payload":"abc"})");
  expect_json(
      enumeration, {}, "null",
      R"({"schema":{"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,)"
      R"("parameters":{"allowed":"a,b"}},"payload":null})");
  expect_json(precise, {Decimal{"1250", 2}}, R"("BOI=")",
              R"({"schema":{"type":"bytes","optional":true,)"
              R"("name":"org.apache.kafka.connect.data.Decimal","version":1,)"
              R"("parameters":{"scale":"2","connect.decimal.precision":"9"},"default":"AJY="},)"
              R"("payload":"BOI="})");
  expect_json(bytes, {}, R"("AQ==")",
              R"({"schema":{"type":"bytes","optional":true,"default":"AQ=="},"payload":"AQ=="})");
}

TEST(JsonConverterTest, CollectionsHaveConnectsBytes) {
  ConnectSchema numbers = array_of(optional_of(ConnectType::kInt32));
  numbers.default_value = ConnectValue{ConnectArray{{integer(1), integer(2)}}};
  const ConnectSchema strings = array_of(optional_of(ConnectType::kString));
  expect_json(
      strings, {ConnectArray{{text("a"), text("b\"\\"), {}}}}, R"(["a","b\"\\",null])",
      R"({"schema":{"type":"array","items":{"type":"string","optional":true},"optional":true},)"
      R"("payload":["a","b\"\\",null]})");
  expect_json(
      strings, {ConnectArray{}}, "[]",
      R"({"schema":{"type":"array","items":{"type":"string","optional":true},"optional":true},)"
      R"("payload":[]})");
  expect_json(
      numbers, {}, "[1,2]",
      R"({"schema":{"type":"array","items":{"type":"int32","optional":true},"optional":true,)"
      R"("default":[1,2]},"payload":[1,2]})");
  expect_json(map_of(optional_of(ConnectType::kString)),
              {ConnectMap{{{"k", text("v")}, {"k2", {}}, {"k\"3", text("x\\y")}}}},
              R"({"k":"v","k2":null,"k\"3":"x\\y"})",
              R"({"schema":{"type":"map","keys":{"type":"string","optional":false},)"
              R"("values":{"type":"string","optional":true},"optional":true},)"
              R"("payload":{"k":"v","k2":null,"k\"3":"x\\y"}})");
  expect_json(map_of(plain(ConnectType::kString)), {ConnectMap{}}, "{}",
              R"({"schema":{"type":"map","keys":{"type":"string","optional":false},)"
              R"("values":{"type":"string","optional":false},"optional":true},"payload":{}})");
  expect_json(
      example_struct(), example_value(), R"({"a":1,"b":"dflt","c":null,"d":["x"]})",
      R"({"schema":{"type":"struct","fields":[{"type":"int32","optional":false,"field":"a"},)"
      R"({"type":"string","optional":true,"default":"dflt","field":"b"},)"
      R"({"type":"string","optional":true,"field":"c"},)"
      R"({"type":"array","items":{"type":"string","optional":true},"optional":true,"field":"d"}],)"
      R"("optional":false,"name":"s.V","version":4},)"
      R"("payload":{"a":1,"b":"dflt","c":null,"d":["x"]}})");
  expect_json(plain(ConnectType::kStruct), {ConnectStruct{}}, "{}",
              R"({"schema":{"type":"struct","fields":[],"optional":false},"payload":{}})");
}

TEST(JsonConverterTest, OptionsOfTheConverterAreHonoured) {
  constexpr JsonFormat kFormat{.replace_null_with_default = false, .decimal_as_number = true};
  ConnectSchema precise = decimal(2);
  precise.optional = true;
  precise.default_value = ConnectValue{Decimal{"150", 2}};
  EXPECT_EQ(json_with_schema(precise, {}, kFormat),
            R"({"schema":{"type":"bytes","optional":true,)"
            R"("name":"org.apache.kafka.connect.data.Decimal","version":1,)"
            R"("parameters":{"scale":"2"},"default":1.50},"payload":null})");
  EXPECT_EQ(json(decimal(-3), {Decimal{"1", -3}}, kFormat), "1E+3");
  EXPECT_EQ(json(example_struct(), example_value(), kFormat),
            R"({"a":1,"b":null,"c":null,"d":["x"]})");
}

TEST(JsonConverterTest, AnIntegerBeyond64BitsKeepsItsDigits) {
  EXPECT_EQ(json(optional_of(ConnectType::kFloat64), {Decimal{"12345678901234567890", 0}}),
            "12345678901234567890");
}

TEST(JsonConverterTest, NullWhereThereMustBeAValueIsRefused) {
  const Error error = thrown([] { return json(plain(ConnectType::kString), {}); });
  EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
  EXPECT_FALSE(error.hint().empty());
}

TEST(JsonConverterTest, AValueWithoutSchemaHasNullForOne) {
  std::string out;
  append_json_with_schema(out, nullptr, text("[]"));
  EXPECT_EQ(out, R"({"schema":null,"payload":"[]"})");
  out.clear();
  append_json(out, nullptr, {ConnectArray{{integer(1), {}, {true}}}});
  EXPECT_EQ(out, "[1,null,true]");
}

TEST(JsonConverterTest, AppendsToWhatIsThere) {
  std::string out = "x";
  append_json_string(out, "y");
  EXPECT_EQ(out, "x\"y\"");
}

TEST(JsonConverterTest, StringsAreEscapedAsJacksonDoes) {
  struct StringCase {
    std::string text;
    const char* json;
  };
  const std::vector<StringCase> cases = {
      {"", R"("")"},
      {"a\"b\\c/<", R"("a\"b\\c/<")"},
      {"\b\t\n\f\r", R"("\b\t\n\f\r")"},
      {std::string("\0\x01\x1f\x7f", 4), "\"\\u0000\\u0001\\u001F\x7f\""},
      {"\u0080é\u2028\uFFFF", "\"\u0080é\u2028\uFFFF\""},
      {"😀$", R"("\uD83D\uDE00$")"},
      {"\U00010000\U0010FFFF", R"("\uD800\uDC00\uDBFF\uDFFF")"},
      {"\xed\xa0\x80|\xed\xbf\xbf", R"("\uD800|\uDFFF")"},
  };
  for (const auto& [input, expected] : cases) {
    std::string out;
    append_json_string(out, input);
    EXPECT_EQ(out, expected);
  }
}

TEST(JsonConverterTest, WhatIsNoUtf8BecomesTheReplacementCharacter) {
  std::string out;
  append_json_string(out, "a\xff\xc3|\xf0\x9f\x98");
  EXPECT_EQ(out, "\"a\uFFFD\uFFFD|\uFFFD\uFFFD\uFFFD\"");
}

void expect_text(const ConnectSchema& schema, const ConnectValue& value, const char* raw,
                 const char* header) {
  EXPECT_EQ(raw_text(&schema, value), raw);
  EXPECT_EQ(simple_header_text(&schema, value), header);
}

TEST(TextConverterTest, GivesConnectsBytes) {
  const ConnectSchema strings = array_of(optional_of(ConnectType::kString));
  expect_text(plain(ConnectType::kString), text("{\"a\": 1}"), "{\"a\": 1}", "{\"a\": 1}");
  expect_text(plain(ConnectType::kInt32), integer(54), "54", "54");
  expect_text(plain(ConnectType::kInt64), integer(1553460779000123), "1553460779000123",
              "1553460779000123");
  expect_text(plain(ConnectType::kFloat64), {1e10}, "1.0E10", "1.0E10");
  expect_text(plain(ConnectType::kFloat64), {std::nan("")}, "NaN", "NaN");
  expect_text(plain(ConnectType::kFloat32), {0.1F}, "0.1", "0.1");
  expect_text(plain(ConnectType::kBoolean), {false}, "false", "false");
  expect_text(decimal(2), {Decimal{"1250", 2}}, "12.50", "12.50");
  expect_text(decimal(-3), {Decimal{"1", -3}}, "1E+3", "1E+3");
  expect_text(strings, {ConnectArray{{text("a"), text("b\"\\"), {}}}}, "[a, b\"\\, null]",
              R"(["a","b\"\\",null])");
  expect_text(strings, {ConnectArray{}}, "[]", "[]");
  expect_text(array_of(decimal(2)), {ConnectArray{{{Decimal{"150", 2}}, {}}}}, "[1.50, null]",
              "[1.50,null]");
  expect_text(array_of(plain(ConnectType::kFloat64)), {ConnectArray{{{1e10}, {std::nan("")}}}},
              "[1.0E10, NaN]", "[1.0E10,NaN]");
  expect_text(map_of(optional_of(ConnectType::kString)),
              {ConnectMap{{{"k", text("v")}, {"k2", {}}, {"k\"3", text("x\\y")}}}},
              "{k=v, k2=null, k\"3=x\\y}", R"({"k":"v","k2":null,"k\"3":"x\\y"})");
  expect_text(map_of(plain(ConnectType::kString)), {ConnectMap{}}, "{}", "{}");
}

TEST(TextConverterTest, NullIsNoBytesAtAll) {
  ConnectSchema schema = optional_of(ConnectType::kString);
  schema.default_value = text("x");
  EXPECT_EQ(raw_text(&schema, {}), std::nullopt);
  EXPECT_EQ(simple_header_text(&schema, {}), std::nullopt);
}

TEST(TextConverterTest, BytesAreThemselvesInRawAndBase64InHeaders) {
  const ConnectSchema schema = plain(ConnectType::kBytes);
  const ConnectValue value{Bytes{std::string("\0hi\xff", 4)}};
  EXPECT_EQ(raw_text(&schema, value), std::string("\0hi\xff", 4));
  EXPECT_EQ(simple_header_text(&schema, value), "AGhp/w==");
  const ConnectValue array{ConnectArray{{{Bytes{"\x01\x02\x03"}}}}};
  const ConnectSchema array_schema = array_of(schema);
  EXPECT_EQ(simple_header_text(&array_schema, array), R"(["AQID"])");
  EXPECT_EQ(raw_text(&array_schema, array), "[AQID]") << "Debezium: java.nio.HeapByteBuffer[…]";
}

TEST(TextConverterTest, StructsAreJsonInBoth) {
  const ConnectSchema schema = example_struct();
  const char* const expected = R"({"a":1,"b":"dflt","c":null,"d":["x"]})";
  EXPECT_EQ(simple_header_text(&schema, example_value()), expected);
  EXPECT_EQ(raw_text(&schema, example_value()), expected) << "Debezium: Struct{a=1,d=[x]}";
  const ConnectSchema array = array_of(schema);
  const ConnectValue elements{ConnectArray{{example_value(), example_value()}}};
  EXPECT_EQ(raw_text(&array, elements), "[" + std::string(expected) + ", " + expected + "]");
}

TEST(TextConverterTest, AHeadersStructKeepsDecimalsAndDatesAsText) {
  ConnectSchema schema = plain(ConnectType::kStruct);
  schema.fields = {{"n", std::make_shared<ConnectSchema>(decimal(2))},
                   {"t", std::make_shared<ConnectSchema>(
                             named(ConnectType::kInt64, std::string(kConnect) + "Timestamp"))}};
  const ConnectValue value{ConnectStruct{{{Decimal{"150", 2}}, integer(1553460779001)}}};
  EXPECT_EQ(simple_header_text(&schema, value), R"({"n":1.50,"t":2019-03-24T20:52:59.001Z})");
}

struct DateCase {
  const char* type;
  std::int64_t value;
  const char* header;
  const char* raw;
};

TEST(TextConverterTest, ConnectsDatesInHeadersAreAsLongAsTheirValue) {
  const std::vector<DateCase> cases = {
      {"Timestamp", 0, "00:00:00.000Z", "1970-01-01T00:00:00.000Z"},
      {"Timestamp", 86'399'999, "23:59:59.999Z", "1970-01-01T23:59:59.999Z"},
      {"Timestamp", 86'400'000, "1970-01-02", "1970-01-02T00:00:00.000Z"},
      {"Timestamp", 86'400'001, "1970-01-02T00:00:00.001Z", "1970-01-02T00:00:00.001Z"},
      {"Timestamp", 1553385600000, "2019-03-24", "2019-03-24T00:00:00.000Z"},
      {"Timestamp", 253402300800001, "10000-01-01T00:00:00.001Z", "10000-01-01T00:00:00.001Z"},
      {"Date", 0, "00:00:00.000Z", "1970-01-01"},
      {"Date", 1, "1970-01-02", "1970-01-02"},
      {"Date", 18'321, "2020-02-29", "2020-02-29"},
      {"Date", 2'147'483'647, "5881580-07-11", "5881580-07-11"},
      {"Time", 3'723'004, "01:02:03.004Z", "01:02:03.004Z"},
  };
  for (const DateCase& c : cases) {
    const bool is_long = std::string_view(c.type) == "Timestamp";
    const ConnectSchema schema =
        named(is_long ? ConnectType::kInt64 : ConnectType::kInt32, std::string(kConnect) + c.type);
    EXPECT_EQ(simple_header_text(&schema, integer(c.value)), c.header);
    EXPECT_EQ(raw_text(&schema, integer(c.value)), c.raw);
  }
}

TEST(TextConverterTest, DatesBefore1970KeepTheirDateUnlikeConnects) {
  const std::vector<DateCase> cases = {
      {"Timestamp", -1, "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"},
      {"Timestamp", -86'400'000, "1969-12-31", "1969-12-31T00:00:00.000Z"},
      {"Date", -1, "1969-12-31", "1969-12-31"},
      {"Date", -719'528, "0000-01-01", "0000-01-01"},
      {"Date", -719'529, "-0001-12-31", "-0001-12-31"},
      {"Timestamp", std::numeric_limits<std::int64_t>::min(), "-292275055-05-16T16:47:04.192Z",
       "-292275055-05-16T16:47:04.192Z"},
  };
  for (const DateCase& c : cases) {
    const ConnectSchema schema = named(ConnectType::kInt64, std::string(kConnect) + c.type);
    EXPECT_EQ(simple_header_text(&schema, integer(c.value)), c.header);
    EXPECT_EQ(raw_text(&schema, integer(c.value)), c.raw);
  }
}

}  // namespace
}  // namespace walpost
