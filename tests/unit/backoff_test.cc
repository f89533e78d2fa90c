#include "walpost/backoff.h"

#include <gtest/gtest.h>

namespace walpost {
namespace {

using std::chrono::milliseconds;

TEST(Backoff, DelaysDoubleUpToTheCap) {
  Backoff backoff(1);
  for (milliseconds limit = Backoff::kInitial; limit < Backoff::kCap; limit *= 2) {
    const auto delay = backoff.next();
    EXPECT_GE(delay, limit / 2);
    EXPECT_LE(delay, limit);
  }
  for (int i = 0; i < 100; ++i) {
    const auto delay = backoff.next();
    EXPECT_GE(delay, Backoff::kCap / 2);
    EXPECT_LE(delay, Backoff::kCap);
  }
}

TEST(Backoff, ASuccessBeginsAnew) {
  Backoff backoff(1);
  for (int i = 0; i < 20; ++i) (void)backoff.next();
  backoff.reset();
  EXPECT_LE(backoff.next(), Backoff::kInitial);
}

TEST(Backoff, ASeedRepeatsItself) {
  Backoff one(7);
  Backoff same(7);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(one.next(), same.next());
}

TEST(Backoff, ClientsOfOneServerSpreadOut) {
  Backoff one(1);
  Backoff other(2);
  int different = 0;
  for (int i = 0; i < 20; ++i) different += one.next() != other.next() ? 1 : 0;
  EXPECT_GT(different, 10);
}

}  // namespace
}  // namespace walpost
