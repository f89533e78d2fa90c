#include "properties_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace walpost {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(PropertiesTextTest, SeparatorsAreEqualsColonOrBlank) {
  EXPECT_THAT(parse_properties("a=1\nb : 2\r\nc\t3\rd\n"),
              ElementsAre(Pair("a", "1"), Pair("b", "2"), Pair("c", "3"), Pair("d", "")));
}

TEST(PropertiesTextTest, CommentsAndBlankLinesAreNoEntries) {
  EXPECT_THAT(parse_properties("# a=1\n  ! b=2 \\\n\n \t\n"), IsEmpty());
  EXPECT_THAT(parse_properties("a=x # y\n"), ElementsAre(Pair("a", "x # y")));
}

TEST(PropertiesTextTest, ABackslashJoinsLinesAndDropsTheBlanksThatFollow) {
  EXPECT_THAT(parse_properties("tables=a,\\\n    b,\\\r\n\tc\n"),
              ElementsAre(Pair("tables", "a,b,c")));
  EXPECT_THAT(parse_properties("a=\\\n  1"), ElementsAre(Pair("a", "1")));
  EXPECT_THAT(parse_properties("a=1\\"), ElementsAre(Pair("a", "1")));
}

TEST(PropertiesTextTest, EscapesStandForThemselvesButForFourLetters) {
  EXPECT_THAT(parse_properties(R"(a\ b\=c=\t\n\.\\d)"), ElementsAre(Pair("a b=c", "\t\n.\\d")));
}

TEST(PropertiesTextTest, ABackslashBeforeADotIsLostAsInJava) {
  EXPECT_THAT(parse_properties(R"(t=public\.outbox)"), ElementsAre(Pair("t", "public.outbox")));
  EXPECT_THAT(parse_properties(R"(t=public\\.outbox)"), ElementsAre(Pair("t", "public\\.outbox")));
}

TEST(PropertiesTextTest, BlanksAtTheEndOfAValueStay) {
  EXPECT_THAT(parse_properties("a=1 \n"), ElementsAre(Pair("a", "1 ")));
}

TEST(PropertiesTextTest, BytesAreLatin1AndUnicodeIsEscaped) {
  EXPECT_THAT(parse_properties("a=\xe9\nb=\\u00e9\\uD83D\\uDE00"),
              ElementsAre(Pair("a", "é"), Pair("b", "é😀")));
}

TEST(PropertiesTextTest, RefusesWhatJavaRefuses) {
  for (const char* text : {"a=\\u00", "a=\\u00zz", "a=\\uD83D", "a=\\uD83Dx", "a=\\uDE00"}) {
    EXPECT_THROW(static_cast<void>(parse_properties(text)), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace walpost
