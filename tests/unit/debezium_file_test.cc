#include "debezium_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "walpost/error.h"

namespace walpost {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

DebeziumSettings parse(std::string_view text) { return parse_debezium_file(text, "c"); }

std::string refusal(std::string_view text) {
  try {
    static_cast<void>(parse(text));
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::kUsage);
    return error.what();
  }
  return "taken";
}

TEST(DebeziumFileTest, TheRequestsBodyAndTheBareMapAreTheSame) {
  const auto expected = ElementsAre(Pair("slot.name", "s"), Pair("tasks.max", "1"));
  EXPECT_THAT(parse(R"({"name": "c", "config": {"slot.name": "s", "tasks.max": 1}})"), expected);
  EXPECT_THAT(parse(R"( {"slot.name": "s", "tasks.max": "1"})"), expected);
}

TEST(DebeziumFileTest, AByteOrderMarkIsNoPartOfIt) {
  EXPECT_THAT(parse("\xef\xbb\xbf{\"a\": \"1\"}"), ElementsAre(Pair("a", "1")));
}

TEST(DebeziumFileTest, NumbersAndBooleansAreTheirTexts) {
  EXPECT_THAT(parse(R"({"a": 5432, "b": true, "c": false, "d": 1.50, "e": -1})"),
              ElementsAre(Pair("a", "5432"), Pair("b", "true"), Pair("c", "false"),
                          Pair("d", "1.50"), Pair("e", "-1")));
}

TEST(DebeziumFileTest, OfANameThatIsThereTwiceTheLastValueCounts) {
  EXPECT_THAT(parse(R"({"a": "1", "b": "2", "a": "3"})"),
              ElementsAre(Pair("a", "3"), Pair("b", "2")));
  EXPECT_THAT(parse("a=1\nb=2\na=3\n"), ElementsAre(Pair("a", "3"), Pair("b", "2")));
}

TEST(DebeziumFileTest, RefusesWhatIsNoConfigurationAndRepeatsNoValue) {
  EXPECT_THAT(refusal(R"({"database.password": ["s3cret"]})"),
              AllOf(HasSubstr("--debezium-config: c: database.password: must be a text"),
                    Not(HasSubstr("s3cret"))));
  EXPECT_THAT(refusal(R"({"a": null})"), HasSubstr("a: must be a text"));
  EXPECT_THAT(refusal(R"({"a": "1",})"), HasSubstr("at byte"));
  EXPECT_THAT(refusal("{\"a\": \"\xff\"}"), HasSubstr("at byte"));
  EXPECT_THAT(refusal(" \n"), HasSubstr("is empty"));
  EXPECT_THAT(refusal("a=\\u1"), HasSubstr("hexadecimal"));
  EXPECT_THAT(refusal(std::string((1U << 20) + 1, ' ')), HasSubstr("larger than 1 MiB"));
}

TEST(DebeziumFileTest, DepthDoesNotMatter) {
  EXPECT_NE(refusal("{\"a\": " + std::string(100'000, '[')), "taken");
}

TEST(DebeziumFileTest, AFileThatCannotBeReadIsNamed) {
  try {
    static_cast<void>(read_debezium_file("/no/such/file"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "--debezium-config: /no/such/file: No such file or directory");
  }
}

}  // namespace
}  // namespace walpost
