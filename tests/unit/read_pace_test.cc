#include "walpost/read_pace.h"

#include <gtest/gtest.h>

#include <chrono>

namespace walpost {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kOneRow = 430;
constexpr std::size_t kMuch = 64 * 1024;

class ReadPaceTest : public ::testing::Test {
 protected:
  // Reads when the pace allows it, `queued` bytes waiting. The time that passed until then.
  Duration read(std::size_t queued) {
    const auto until = pace_.paused_until(now_);
    const auto waited = until ? *until - now_ : Duration::zero();
    now_ += waited;
    EXPECT_TRUE(pace_.may_read(now_));
    pace_.on_read(now_, queued);
    return waited;
  }

  ReadPace pace_{ReadPace::Wire::kTcp};
  TimePoint now_{10s};
};

TEST_F(ReadPaceTest, ALoneEventIsReadAtOnceAndSoIsTheNext) {
  read(kOneRow);
  EXPECT_FALSE(pace_.paused_until(now_));
  now_ += 5s;
  EXPECT_EQ(read(kOneRow), 0s);
  EXPECT_FALSE(pace_.is_busy());
}

TEST_F(ReadPaceTest, ASteadyThousandEventsASecondIsNeverDelayed) {
  for (int event = 0; event < 5'000; ++event) {
    ASSERT_EQ(read(kOneRow), 0s);
    ASSERT_EQ(read(0), 0s);  // the read after it that finds nothing
    now_ += 1ms;
  }
}

TEST_F(ReadPaceTest, ABusyStreamIsReadOnePortionAPause) {
  read(kMuch);
  for (int portion = 0; portion < 1'000; ++portion) {
    const auto waited = read(kMuch);
    ASSERT_GT(waited, 0s);
    ASSERT_LE(waited, 200us);
  }
}

TEST_F(ReadPaceTest, RowsThatComeOneByOneWithoutEndAreABusyStream) {
  for (int row = 0; row < 10; ++row) {
    read(kOneRow);
    now_ += 5us;
  }
  EXPECT_TRUE(pace_.is_busy());
  EXPECT_TRUE(pace_.paused_until(now_));
}

TEST_F(ReadPaceTest, AStreamThatEndedIsPolledAgainWithinAMillisecond) {
  read(kMuch);
  const auto end = now_;
  for (int portion = 0; pace_.is_busy(); ++portion) {
    ASSERT_LT(portion, 10);
    read(0);
  }
  EXPECT_FALSE(pace_.paused_until(now_));
  EXPECT_LE(now_ - end, 1ms);
}

TEST_F(ReadPaceTest, FindingLittleMakesThePauseLongerAndFindingMuchShorter) {
  read(kMuch);
  for (int portion = 0; portion < 100; ++portion) read(kOneRow);
  const auto slow = pace_.pause();
  for (int portion = 0; portion < 1'000; ++portion) read(512 * 1024);
  EXPECT_LT(pace_.pause(), slow);
}

TEST_F(ReadPaceTest, AUnixSocketIsReadEmptyBeforeAPause) {
  pace_ = ReadPace(ReadPace::Wire::kUnixSocket);
  EXPECT_EQ(read(kMuch), 0s);
  EXPECT_EQ(read(kMuch), 0s);
  read(0);
  const auto pause = read(kMuch);
  EXPECT_GT(pause, 0s);
  EXPECT_LE(pause, 200us);
}

}  // namespace
}  // namespace walpost
