#include "walpost/check.h"

#include <gtest/gtest.h>

namespace walpost {
namespace {

TEST(CheckTest, WhatHoldsHasNoEffect) {
  int evaluated = 0;
  CHECK(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
}

TEST(CheckDeathTest, WhatDoesNotHoldSaysWhereAndExitsWithOne) {
  const int two = 2;
  EXPECT_EXIT(CHECK(two + two == 5), testing::ExitedWithCode(1),
              "CHECK\\(two \\+ two == 5\\) failed at .*check_test\\.cc:[0-9]+");
}

}  // namespace
}  // namespace walpost
