#include "record_json.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base64.h"
#include "utf8.h"

namespace walpost {
namespace {

std::string line_of(const Record& record) {
  std::string line;
  append_json_line(record, line);
  return line;
}

Record plain() {
  return {.topic = "t",
          .partition = std::nullopt,
          .key = "k",
          .value = "v",
          .headers = {},
          .timestamp_ms = 1'700'000'000'123,
          .event_id = "1"};
}

TEST(RecordJson, HeadersKeepOrderRepeatsAndNulls) {
  const std::array<Header, 4> headers{Header{"id", "7"}, Header{"b", std::nullopt}, Header{"a", ""},
                                      Header{"id", "8"}};
  Record record = plain();
  record.partition = 3;
  record.headers = headers;
  EXPECT_EQ(line_of(record),
            R"({"topic":"t","partition":3,"key":"k","headers":[{"name":"id","value":"7"},)"
            R"({"name":"b","value":null},{"name":"a","value":""},{"name":"id","value":"8"}],)"
            R"("timestamp":1700000000123,"value":"v"})"
            "\n");
}

TEST(RecordJson, NullAndEmptyAreToldApart) {
  Record record = plain();
  record.key = std::nullopt;
  record.value = "";
  EXPECT_EQ(line_of(record),
            "{\"topic\":\"t\",\"key\":null,\"headers\":[],\"timestamp\":1700000000123,"
            "\"value\":\"\"}\n");
  record.key = std::string_view();
  record.value = std::nullopt;
  EXPECT_EQ(line_of(record),
            "{\"topic\":\"t\",\"key\":\"\",\"headers\":[],\"timestamp\":1700000000123,"
            "\"value\":null}\n");
}

TEST(RecordJson, TextIsEscapedAndOtherBytesAreBase64) {
  Record record = plain();
  record.key = "\xff\x00\x10";  // ends at the NUL
  record.value = std::string_view("a\n\"\\\0\x1f\xc3\xa9\xf0\x9f\x98\x80", 12);
  EXPECT_EQ(line_of(record),
            "{\"topic\":\"t\",\"key\":{\"base64\":\"/w==\"},\"headers\":[],"
            "\"timestamp\":1700000000123,"
            "\"value\":\"a\\n\\\"\\\\\\u0000\\u001F\xc3\xa9\xf0\x9f\x98\x80\"}\n");
}

TEST(RecordJson, Base64OfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(RecordJson, Utf8IsExact) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0", 1)));
  EXPECT_TRUE(is_valid_utf8("\xc2\x80"));
  EXPECT_TRUE(is_valid_utf8("\xe0\xa0\x80"));
  EXPECT_TRUE(is_valid_utf8("\xed\x9f\xbf"));
  EXPECT_TRUE(is_valid_utf8("\xee\x80\x80"));
  EXPECT_TRUE(is_valid_utf8("\xf0\x90\x80\x80"));
  EXPECT_TRUE(is_valid_utf8("\xf4\x8f\xbf\xbf"));
  EXPECT_FALSE(is_valid_utf8("\x80"));
  EXPECT_FALSE(is_valid_utf8("\xc1\xbf")) << "overlong";
  EXPECT_FALSE(is_valid_utf8("\xe0\x9f\xbf")) << "overlong";
  EXPECT_FALSE(is_valid_utf8("\xf0\x8f\xbf\xbf")) << "overlong";
  EXPECT_FALSE(is_valid_utf8("\xed\xa0\x80")) << "surrogate";
  EXPECT_FALSE(is_valid_utf8("\xf4\x90\x80\x80")) << "beyond U+10FFFF";
  EXPECT_FALSE(is_valid_utf8("\xf5\x80\x80\x80"));
  EXPECT_FALSE(is_valid_utf8("\xe2\x82")) << "cut off";
  EXPECT_FALSE(is_valid_utf8("\xe2\x28\xa1"));
  EXPECT_FALSE(is_valid_utf8("\xe2\x82\x28"));
  EXPECT_FALSE(is_valid_utf8("ok\xff"));
}

}  // namespace
}  // namespace walpost
