#include "walpost/json_expansion.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "json_document.h"
#include "walpost/converter.h"

namespace walpost {
namespace {

const JsonExpansion kDefaults;
const JsonExpansion kNulls{.null_behavior = JsonExpansion::NullBehavior::kOptionalBytes};
const JsonExpansion kEmptyArrays{.empty_array_behavior =
                                     JsonExpansion::EmptyArrayBehavior::kOptionalString};
const JsonExpansion kBoth{
    .null_behavior = JsonExpansion::NullBehavior::kOptionalBytes,
    .empty_array_behavior = JsonExpansion::EmptyArrayBehavior::kOptionalString};
const JsonExpansion kAvro{.field_name_adjustment = JsonExpansion::FieldNameAdjustment::kAvro};
const JsonExpansion kAvroUnicode{.field_name_adjustment =
                                     JsonExpansion::FieldNameAdjustment::kAvroUnicode};

// What JsonConverter makes of it; "text" if the payload stays the text it is.
std::string expanded(std::string_view text, const JsonExpansion& options = {}) {
  const auto result = expand_json(text, options);
  if (!result) return "text";
  std::string out;
  append_json(out, result->schema.get(), result->value);
  return out;
}

// The schema alone, as a short form: i32 i64 f64 b s bytes, [element], name{member:type}; "!" after
// a struct that is not optional.
std::string short_form(const ConnectSchema& schema) {
  switch (schema.type) {
    case ConnectType::kInt32:
      return "i32";
    case ConnectType::kInt64:
      return "i64";
    case ConnectType::kFloat64:
      return "f64";
    case ConnectType::kBoolean:
      return "b";
    case ConnectType::kString:
      return "s";
    case ConnectType::kBytes:
      return "bytes";
    case ConnectType::kArray:
      return "[" + short_form(*schema.element) + "]";
    case ConnectType::kStruct: {
      std::string text = schema.name + "{";
      for (const auto& field : schema.fields) {
        if (!text.ends_with('{')) text += ",";
        text += field.name + ":" + short_form(*field.schema);
      }
      return text + (schema.optional ? "}" : "}!");
    }
    case ConnectType::kInt16:
    case ConnectType::kFloat32:
    case ConnectType::kMap:
      break;
  }
  return "?";
}

std::string schema_of(std::string_view text, const JsonExpansion& options = {}) {
  const auto result = expand_json(text, options);
  return result ? short_form(*result->schema) : "text";
}

std::string repeated(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

std::string nested_objects(int depth) {
  return repeated(R"({"a":)", depth) + "1" + repeated("}", depth);
}
std::string nested_arrays(int depth) { return repeated("[", depth) + "1" + repeated("]", depth); }

// An eighth of what the main thread has. A sanitizer's frames are many times as large, and the test
// is not about them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kSmallStackBytes = std::size_t{64} << 20U;
#else
constexpr std::size_t kSmallStackBytes = std::size_t{1} << 20U;
#endif

// Runs it on a thread with little stack.
void on_small_stack(std::function<void()> call) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kSmallStackBytes), 0);
  pthread_t thread{};
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &call), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
}

struct Case {
  const char* number;  // in the list of cases; "" for others
  const JsonExpansion* options;
  const char* payload;
  const char* expected;
};

TEST(JsonExpansionTest, TheListedCases) {
  const std::vector<Case> cases = {
      {"R167", &kDefaults,
       R"({"name": "Ada", "on": true, "score": 4.9, "age": 42, "tags": ["x", "y"], )"
       R"("kids": [{"k": "1"}, {"k": "2"}]})",
       R"({"name":"Ada","on":true,"score":4.9,"age":42,"tags":["x","y"],)"
       R"("kids":[{"k":"1"},{"k":"2"}]})"},
      {"R173", &kDefaults, R"({"a": null, "b": 1})", R"({"b":1})"},
      {"R175", &kDefaults, R"({"a": [], "b": 1})", R"({"b":1})"},
      {"R177", &kEmptyArrays, R"({"o": {"a": []}})", R"({"o":{"a":[]}})"},
      {"R179", &kDefaults, R"({"a": [{"k": "dog", "c": []}, {"k": "cat", "c": [{"n": "white"}]}]})",
       R"({"a":[{"k":"dog","c":[]},{"k":"cat","c":[{"n":"white"}]}]})"},
      {"R181", &kDefaults, R"({"a": [null, null], "b": 1})", "text"},
      {"R183", &kDefaults, R"({"a": [{"c": "1", "d": "x"}, {"c": "2", "d": "y"}, {"c": "3"}]})",
       R"({"a":[{"c":"1","d":"x"},{"c":"2","d":"y"},{"c":"3","d":null}]})"},
      {"R185", &kNulls, R"({"a": [{"c": "1", "d": "x"}, {"c": "2", "d": null}, {"c": "3"}]})",
       R"({"a":[{"c":"1","d":"x"},{"c":"2","d":null},{"c":"3","d":null}]})"},
      {"R187", &kDefaults, R"({"a": [{"x": 1}, {"y": 2}]})",
       R"({"a":[{"x":1,"y":null},{"x":null,"y":2}]})"},
      {"R189", &kDefaults, R"({"a": [{"x": 1}, {"x": "s"}]})", "text"},
      {"R191", &kDefaults, R"({"a": [{"y": 2}, 3]})", "text"},
      {"R193", &kDefaults, R"({"a": [1, 3000000000]})", "text"},
      {"R195", &kDefaults, R"({"a": [[1], [2, 3]]})", R"({"a":[[1],[2,3]]})"},
      {"R197", &kDefaults, R"({"a": [[], [1]]})", "text"},
      {"R199", &kDefaults, R"([{"a": 1}])", R"([{"a":1}])"},
      {"R201", &kDefaults, "[]", "text"},
      {"R205", &kDefaults, "", "text"},
      {"R207", &kDefaults, R"( {"a":1})", "text"},
      {"R209", &kDefaults, R"({"a":1,"b":2,"a":3})", R"({"a":3,"b":2})"},
      {"R211", &kDefaults, R"({"b": 100})", R"({"b":100})"},
      {"R213", &kDefaults, R"({"a": 12345678901234567890})", R"({"a":12345678901234567890})"},
      {"R215", &kDefaults, R"({"a":1e400})", R"({"a":"Infinity"})"},
      {"R217", &kDefaults, R"({"a.b": 1, "a": {"b": 2}})", R"({"a.b":1,"a":{"b":2}})"},
      {"R221", &kDefaults, R"({"a":1})", R"({"a":1})"},
      {"R221", &kDefaults, R"({"a":"s","b":[1]})", R"({"a":"s","b":[1]})"},
  };
  for (const Case& c : cases) EXPECT_EQ(expanded(c.payload, *c.options), c.expected) << c.number;
}

TEST(JsonExpansionTest, TypesAreThoseOfTheValues) {
  const std::vector<Case> cases = {
      {"R167", &kDefaults,
       R"({"name":"Ada","on":true,"score":4.9,"age":42,"tags":["x"],"kids":[{"k":"1"},{"k":"2"}]})",
       "payload{name:s,on:b,score:f64,age:i32,tags:[s],kids:[payload.kids{k:s}]}"},
      {"", &kDefaults, R"({"a":2147483647,"b":2147483648,"c":-2147483648,"d":-2147483649})",
       "payload{a:i32,b:i64,c:i32,d:i64}"},
      {"", &kDefaults,
       R"({"a":9223372036854775807,"b":9223372036854775808,"c":-9223372036854775809})",
       "payload{a:i64,b:f64,c:f64}"},
      {"", &kDefaults, R"({"a":1.0,"b":1e2,"c":-0,"d":-0.0})", "payload{a:f64,b:f64,c:i32,d:f64}"},
      {"", &kDefaults, "{}", "payload{}"},
      {"", &kNulls, R"({"a":null,"b":[null]})", "payload{a:bytes,b:[bytes]}"},
      {"", &kEmptyArrays, R"({"a":[],"b":[[]]})", "payload{a:[s],b:[[s]]}"},
      {"", &kEmptyArrays, "[]", "[s]"},
      {"R185", &kNulls, R"({"a":[{"c":"1","d":"x"},{"c":"2","d":null}]})",
       "payload{a:[payload.a{c:s,d:s}!]}"},
  };
  for (const Case& c : cases) EXPECT_EQ(schema_of(c.payload, *c.options), c.expected);
}

TEST(JsonExpansionTest, StructsAreNamedByTheirPath) {
  JsonExpansion body;
  body.payload_field = "body";
  EXPECT_EQ(schema_of(R"({"a": {"b": 1}})", body), "body{a:body.a{b:i32}}") << "R171";
  EXPECT_EQ(schema_of(R"({"a":[{"b":{}}]})", body), "body{a:[body.a{b:body.a.b{}}]}");
  EXPECT_EQ(schema_of(R"({"a":[[{"b":{"c":{}}}]]})", body), "body{a:[[{b:b{c:b.c{}}}]]}")
      << "below an array of arrays names begin anew";
  EXPECT_EQ(schema_of(R"([{"a":{}}])", body), "[body{a:body.a{}}]");
  JsonExpansion nameless;
  nameless.with_schema_names = false;
  EXPECT_EQ(schema_of(R"({"a":{"b":[{}]}})", nameless), "{a:{b:[{}]}}");
}

TEST(JsonExpansionTest, EverythingIsOptionalButTheStructOfUnlikeElements) {
  EXPECT_EQ(schema_of(R"([{"a":1},{"a":2}])"), "[payload{a:i32}]");
  EXPECT_EQ(schema_of(R"([{"a":1},{"b":2}])"), "[payload{a:i32,b:i32}!]");
  EXPECT_EQ(schema_of(R"([{"a":1,"b":2},{"b":1,"a":2}])"), "[payload{a:i32,b:i32}!]");
  EXPECT_EQ(schema_of(R"([{"a":1},{"a":2},{}])"), "[payload{a:i32}!]");
  EXPECT_EQ(schema_of(R"([{"a":1},null,{"b":2}])"), "[payload{a:i32,b:i32}]")
      << "it must be, since an element is null";
  EXPECT_EQ(schema_of(R"({"x":[{"p":{"q":1}},{"p":{"r":1}}]})"),
            "payload{x:[payload.x{p:payload.x.p{q:i32,r:i32}}!]}")
      << "members are optional";
  const auto result = expand_json(R"({"a":[1]})", {});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->schema->optional);
  EXPECT_TRUE(result->schema->fields[0].schema->optional);
  EXPECT_TRUE(result->schema->fields[0].schema->element->optional);
}

TEST(JsonExpansionTest, ArraysTakeOneTypeOrTheTextStays) {
  const std::vector<Case> cases = {
      {"", &kDefaults, R"([1,2.5])", "text"},
      {"", &kDefaults, R"([1,"a"])", "text"},
      {"", &kDefaults, R"([true,null,false])", "[true,null,false]"},
      {"", &kDefaults, R"([[],{}])", "text"},
      {"", &kDefaults, R"([null])", "text"},
      {"", &kNulls, R"([null])", "[null]"},
      {"", &kDefaults, R"([null,[1],null])", "[null,[1],null]"},
      {"", &kDefaults, R"([[1],[]])", "[[1],[]]"},
      {"", &kDefaults, R"([[1],[null]])", "[[1],[null]]"},
      {"", &kDefaults, R"([[null],[1]])", "text"},
      {"", &kDefaults, R"([[1],["a"]])", "text"},
      {"", &kDefaults, R"([[1],[[]]])", "text"},
      {"", &kDefaults, R"([[[1]],[[],[2]]])", "[[[1]],[[],[2]]]"},
      {"", &kDefaults, R"([[[]],[[1]]])", "text"},
      {"", &kDefaults, R"([{"c":[]},{"c":1}])", "text"},
      {"", &kDefaults, R"([{"c":[null]},{"c":[1]}])", "text"},
      {"", &kDefaults, R"([{"c":null},{"c":1}])", R"([{"c":null},{"c":1}])"},
  };
  for (const Case& c : cases) EXPECT_EQ(expanded(c.payload, *c.options), c.expected) << c.payload;
}

TEST(JsonExpansionTest, MembersThatDebeziumLosesAreKept) {
  const std::vector<Case> cases = {
      {"", &kDefaults, R"([{"n":{"a":1}},{"n":{"b":{"c":2}}},{"n":{"b":{"d":3}}}])",
       R"([{"n":{"a":1,"b":null}},{"n":{"a":null,"b":{"c":2,"d":null}}},)"
       R"({"n":{"a":null,"b":{"c":null,"d":3}}}])"},
      {"", &kDefaults, R"([[{"x":1}],[{"y":2}]])", R"([[{"x":1,"y":null}],[{"x":null,"y":2}]])"},
      {"", &kDefaults, R"([{"l":[{"a":1}]},{"l":[{"b":2}]}])",
       R"([{"l":[{"a":1,"b":null}]},{"l":[{"a":null,"b":2}]}])"},
  };
  for (const Case& c : cases) EXPECT_EQ(expanded(c.payload, *c.options), c.expected);
}

TEST(JsonExpansionTest, WhatStandsForNothingGivesWay) {
  const std::vector<Case> cases = {
      {"", &kEmptyArrays, R"([{"a":[]},{"a":[1]}])", R"([{"a":[]},{"a":[1]}])"},
      {"", &kEmptyArrays, R"([{"a":[{"b":1}]},{"a":[]}])", R"([{"a":[{"b":1}]},{"a":[]}])"},
      {"", &kEmptyArrays, R"([[],[1]])", "[[],[1]]"},
      {"", &kNulls, R"([[null],[1]])", "[[null],[1]]"},
      {"", &kNulls, R"([{"a":null},{"a":{"b":1}}])", R"([{"a":null},{"a":{"b":1}}])"},
      {"", &kBoth, R"([[null],[]])", "[[null],[]]"},
      {"", &kBoth, R"([{"a":null},{"a":[]},{"a":[2.5]}])", R"([{"a":null},{"a":[]},{"a":[2.5]}])"},
  };
  for (const Case& c : cases) EXPECT_EQ(expanded(c.payload, *c.options), c.expected) << c.payload;
}

TEST(JsonExpansionTest, NumbersAreRewrittenAsJavaDoes) {
  EXPECT_EQ(expanded("[1.10,1e2,-0.0,0.1234567890123456789,1E+5,1e-400,4.9e-324]"),
            "[1.1,100.0,-0.0,0.12345678901234568,100000.0,0.0,4.9E-324]");
  EXPECT_EQ(expanded("[-0,7]"), "[0,7]");
  EXPECT_EQ(expanded("[-1e400,1e99999999999,-1e-99999999999,0e99999999999]"),
            R"(["-Infinity","Infinity",-0.0,0.0])");
  EXPECT_EQ(expanded("[" + std::string(400, '9') + ".5,0." + std::string(400, '0') + "1]"),
            R"(["Infinity",0.0])");
  EXPECT_EQ(expanded("[1.5,12345678901234567890,-12345678901234567890]"),
            "[1.5,12345678901234567890,-12345678901234567890]");
}

TEST(JsonExpansionTest, SaysWhereDebeziumKeepsTheText) {
  const auto keeps_text = [](std::string_view text) {
    return expand_json(text, {}).value().is_text_in_debezium;
  };
  EXPECT_TRUE(keeps_text("[1]"));
  EXPECT_TRUE(keeps_text(R"({"a":[{"b":12345678901234567890}]})"));
  EXPECT_FALSE(keeps_text(R"({"a":[{"b":1234567890123456789,"c":1e30}]})"));
}

TEST(JsonExpansionTest, MemberNames) {
  EXPECT_EQ(expanded(R"({"":1})"), "text");
  EXPECT_EQ(expanded(R"({"":null,"a":1})"), R"({"a":1})") << "a member that is dropped";
  EXPECT_EQ(expanded(R"({" ":{" ":1}})"), R"({" ":{" ":1}})");
  EXPECT_EQ(expanded(R"({"\u0061\"é":1,"a\"\u00e9":2})"), R"({"a\"é":2})") << "one name";
}

TEST(JsonExpansionTest, AdjustedNamesKeepTheirValues) {
  const std::vector<Case> cases = {
      {"", &kAvro, R"({"a-b":1,"1x":{"é.":[2]},"😀":3,"_ok9":4})",
       R"({"a_b":1,"_1x":{"__":[2]},"__":3,"_ok9":4})"},
      {"", &kAvroUnicode, R"({"a-b":1,"1x":2,"é€":3,"😀":4,"_":5,"ok9":6})",
       R"({"a_u002db":1,"_u0031x":2,"_u00e9_u20ac":3,"_ud83d_ude00":4,"_u005f":5,"ok9":6})"},
      {"", &kAvro, R"({"a-b":1,"a_b":2})", "text"},
      {"", &kAvro, R"({"a_b":1,"a-b":null})", "text"},
      {"", &kAvro, R"([{"a-b":1},{"a_b":2}])", R"([{"a_b":1},{"a_b":2}])"},
      {"", &kAvro, R"({"":1})", "text"},
  };
  for (const Case& c : cases) EXPECT_EQ(expanded(c.payload, *c.options), c.expected) << c.payload;
  EXPECT_EQ(schema_of(R"({"a-b":{"c-d":{}}})", kAvro),
            "payload{a_b:payload.a_b{c_d:payload.a_b.c_d{}}}");
}

TEST(JsonExpansionTest, WhatIsNoJsonStaysText) {
  for (const char* text : {"{",
                           "[",
                           "{]",
                           R"({"a"})",
                           R"({"a":})",
                           R"({"a":1)",
                           R"({"a":1,})",
                           "[1,]",
                           "[1 2]",
                           R"({a:1})",
                           R"({'a':1})",
                           R"({"a":01})",
                           R"({"a":1.})",
                           R"({"a":.5})",
                           R"({"a":+1})",
                           R"({"a":-})",
                           R"({"a":1e})",
                           R"({"a":1e+})",
                           R"({"a":NaN})",
                           R"({"a":Infinity})",
                           R"({"a":tru})",
                           R"({"a":nullx})",
                           R"({"a":1x})",
                           R"({"a":"x})",
                           R"({"a":"\x"})",
                           R"({"a":"\u12g4"})",
                           R"({"a":"\u12)",
                           R"({"a":"\)",
                           "{\"a\":\"\x01\"}",
                           "{\"a\":\"\n\"}",
                           R"({"a":/**/1})",
                           "{\"a\":\x0c"
                           "1}",
                           "{\"a\":\u00a01}",
                           "\ufeff{}",
                           "\"x\"",
                           "42",
                           "true",
                           "null",
                           R"({"a":{"b":[1,{"c":}]}})"}) {
    EXPECT_EQ(expanded(text), "text") << text;
  }
}

TEST(JsonExpansionTest, TheFirstValueIsEnough) {
  EXPECT_EQ(expanded(R"({"a":1} {"b")"), R"({"a":1})");
  EXPECT_EQ(expanded("[1]x"), "[1]");
  EXPECT_EQ(expanded("{ \t\r\n\"a\" : 1 , \"b\":[ 2 , 3 ] }"), R"({"a":1,"b":[2,3]})");
}

TEST(JsonExpansionTest, EscapesAreUndone) {
  EXPECT_EQ(expanded(R"({"a":"\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\uDE00\u0000"})"),
            R"({"a":"\"\\/\b\f\n\r\té€\uD83D\uDE00\u0000"})");
  EXPECT_EQ(expanded(R"({"a":"\ud800","b":"\udc00x","c":"\ud800\u0041","d":"\ud800\ud83d\ude00"})"),
            R"({"a":"\uD800","b":"\uDC00x","c":"\uD800A","d":"\uD800\uD83D\uDE00"})")
      << "halves of a pair, as Jackson has them";
}

TEST(JsonExpansionTest, LimitsOfTheParser) {
  EXPECT_EQ(expanded(nested_objects(1'000)), nested_objects(1'000));
  EXPECT_EQ(expanded(nested_objects(1'001)), "text");
  EXPECT_EQ(expanded(nested_arrays(1'000)), nested_arrays(1'000));
  EXPECT_EQ(expanded(nested_arrays(1'001)), "text");
  EXPECT_EQ(expanded(nested_arrays(100'000)), "text");

  const std::string digits(1'000, '7');
  EXPECT_EQ(expanded("[-" + digits + "]"), "[-" + digits + "]");
  EXPECT_EQ(expanded("[" + digits + "7]"), "text");
  EXPECT_NE(expanded("[-1." + digits.substr(3) + "e-10]"), "text") << "1000 digits in all";
  EXPECT_EQ(expanded("[-1." + digits.substr(2) + "e-10]"), "text");

  const auto named = [](const std::string& name) { return "{\"" + name + "\":1}"; };
  const std::string name = repeated("é", 50'000);
  EXPECT_EQ(expanded(named(name)), named(name)) << "characters count, not bytes";
  EXPECT_EQ(expanded(named(name + "x")), "text");
  EXPECT_EQ(expanded(named(repeated("😀", 25'001))), "text") << "two characters each, in Java";
}

TEST(JsonExpansionTest, NestingTakesLittleOfTheStack) {
  const std::string arrays = nested_arrays(1'000);
  const std::string objects = repeated(R"([{"a":)", 500) + "1" + repeated(R"(},{"b":null}])", 500);
  std::string arrays_result;
  std::string objects_result;
  on_small_stack([&] {
    arrays_result = expanded(arrays);
    objects_result = expanded(objects);
  });
  EXPECT_EQ(arrays_result, arrays);
  EXPECT_TRUE(objects_result.starts_with(R"([{"a":[{"a":)"));
}

TEST(JsonExpansionTest, GrowthBeyondAllUseIsRefused) {
  std::string unlike = "[";
  for (int i = 0; i < 2'000; ++i) unlike += "{\"m" + std::to_string(i) + "\":1},";
  unlike.back() = ']';
  EXPECT_EQ(expanded(unlike), "text") << "4 million members would come of it";

  const std::string link = "{\"" + std::string(1'000, 'n') + "\":";
  const std::string deep = repeated(link, 900) + "1" + repeated("}", 900);
  EXPECT_EQ(expanded(deep), "text") << "400 MB of schema names would come of it";
  JsonExpansion nameless;
  nameless.with_schema_names = false;
  EXPECT_EQ(expanded(deep, nameless), deep);
}

TEST(JsonExpansionTest, ManyMembersTakeLinearTime) {
  std::string object = "{";
  for (int i = 0; i < 200'000; ++i) object += "\"m" + std::to_string(i) + "\":1,";
  object.back() = '}';
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(expanded(object), object);
  EXPECT_EQ(expanded("[" + object + "," + object + "]"), "[" + object + "," + object + "]");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20))
      << "comparing every name with every other takes minutes";
}

TEST(JsonDocumentTest, KeepsNumbersAsTheyAreWritten) {
  const std::string text = R"([1.10, -0, 1E+2, 12345678901234567890])";
  const auto document = JsonDocument::parse(text);
  ASSERT_TRUE(document);
  std::vector<std::string_view> numbers;
  for (const JsonValue& number : document->root().elements) numbers.push_back(number.text);
  EXPECT_EQ(numbers, (std::vector<std::string_view>{"1.10", "-0", "1E+2", "12345678901234567890"}));
}

TEST(JsonDocumentTest, StringsSurviveAMove) {
  const std::string text = R"(["\u0061bc", "plain"])";
  auto document = JsonDocument::parse(text);
  ASSERT_TRUE(document);
  const JsonDocument moved = *std::move(document);
  EXPECT_EQ(moved.root().elements[0].text, "abc");
  EXPECT_EQ(moved.root().elements[1].text, "plain");
}

}  // namespace
}  // namespace walpost
