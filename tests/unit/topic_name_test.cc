#include "walpost/topic_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace walpost {
namespace {

using testing::HasSubstr;

TEST(TopicName, LettersDigitsDotUnderscoreDashAreValid) {
  EXPECT_TRUE(is_valid_topic_name("outbox.event.Order_1-x"));
  EXPECT_EQ(topic_name_fault("outbox.event.Order_1-x"), std::nullopt);
}

TEST(TopicName, ThreeDotsAreValidOneAndTwoAreNot) {
  EXPECT_TRUE(is_valid_topic_name("..."));
  EXPECT_FALSE(is_valid_topic_name("."));
  EXPECT_FALSE(is_valid_topic_name(".."));
  EXPECT_THAT(*topic_name_fault(".."), HasSubstr("\"..\""));
}

TEST(TopicName, LengthEndsAt249) {
  EXPECT_TRUE(is_valid_topic_name(std::string(249, 'a')));
  EXPECT_FALSE(is_valid_topic_name(std::string(250, 'a')));
  EXPECT_THAT(*topic_name_fault(std::string(250, 'a')), HasSubstr("250 characters"));
}

TEST(TopicName, EmptyIsNotValid) { EXPECT_EQ(topic_name_fault(""), "is empty"); }

TEST(TopicName, FirstBadByteIsNamedByOffset) {
  EXPECT_THAT(*topic_name_fault("order placed"), HasSubstr("byte 0x20 at offset 5"));
  EXPECT_THAT(*topic_name_fault("caf\xc3\xa9"), HasSubstr("byte 0xc3 at offset 3"));
  EXPECT_FALSE(is_valid_topic_name(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace walpost
