#include "walpost/read_pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace walpost {
namespace {

using namespace std::chrono_literals;

using State = ReadPace::State;

constexpr std::size_t kOneRow = 430;
constexpr std::size_t kPortion = 16 * 1024;

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

  // A server that writes `bytes_per_ms` while its window of `window` bytes is not full, read for
  // `time`. What was read, in bytes.
  std::size_t stream(std::size_t bytes_per_ms, std::size_t window, Duration time) {
    const auto end = now_ + time;
    std::size_t queued = 0;
    std::size_t taken = 0;
    while (now_ < end) {
      auto waited = pace_.paused_until(now_) ? *pace_.paused_until(now_) - now_ : 20us;
      waited += 10us;  // reading takes time too
      now_ += waited;
      const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(waited);
      queued = std::min(
          window, queued + bytes_per_ms * static_cast<std::size_t>(microseconds.count()) / 1000);
      pace_.on_read(now_, queued);
      const auto portion = std::min(queued, kPortion);
      queued -= portion;
      taken += portion;
    }
    return taken;
  }

  ReadPace pace_{ReadPace::Wire::kTcp};
  TimePoint now_{10s};
};

TEST_F(ReadPaceTest, ALoneEventIsReadAtOnceAndSoIsTheNext) {
  read(kOneRow);
  EXPECT_FALSE(pace_.paused_until(now_));
  now_ += 5s;
  EXPECT_EQ(read(kOneRow), 0s);
  EXPECT_EQ(pace_.state(), State::kPolled);
}

TEST_F(ReadPaceTest, ASteadyThousandEventsASecondIsNeverDelayed) {
  for (int event = 0; event < 5'000; ++event) {
    ASSERT_EQ(read(kOneRow), 0s);
    ASSERT_EQ(read(0), 0s);  // the read after it that finds nothing
    now_ += 1ms;
  }
}

TEST_F(ReadPaceTest, MuchAtOnceBeginsWithAShortPause) {
  read(64 * 1024);
  const auto waited = read(64 * 1024);
  EXPECT_GT(waited, 0s);
  EXPECT_LE(waited, 200us);
}

TEST_F(ReadPaceTest, RowsThatComeOneByOneWithoutEndAreABusyStream) {
  for (int row = 0; row < 10; ++row) {
    read(kOneRow);
    now_ += 5us;
  }
  EXPECT_EQ(pace_.state(), State::kBusy);
  EXPECT_TRUE(pace_.paused_until(now_));
}

TEST_F(ReadPaceTest, AMiddlingStreamIsNeverPausedForLong) {
  read(kPortion);
  for (int portion = 0; portion < 1'000; ++portion) ASSERT_LE(read(2'000), 200us);
  EXPECT_EQ(pace_.state(), State::kBusy);
}

TEST_F(ReadPaceTest, AStreamThatEndedIsPolledAgainWithinAMillisecond) {
  read(64 * 1024);
  const auto end = now_;
  while (pace_.state() != State::kPolled && now_ < end + 1s) read(0);
  EXPECT_FALSE(pace_.paused_until(now_));
  EXPECT_LE(now_ - end, 1ms);
}

TEST_F(ReadPaceTest, APacedStreamThatEndedIsPolledAgainWithinMilliseconds) {
  stream(130'000, 256 * 1024, 1s);
  ASSERT_EQ(pace_.state(), State::kPaced);
  const auto end = now_;
  while (pace_.state() != State::kPolled && now_ < end + 1s) read(0);
  EXPECT_EQ(pace_.state(), State::kPolled);
  EXPECT_LE(now_ - end, 15ms);
}

TEST_F(ReadPaceTest, AtFullSpeedTheWindowIsFilledAndThePaceIsFound) {
  stream(130'000, 256 * 1024, 200ms);
  EXPECT_EQ(pace_.state(), State::kPaced);
  // 130 MB/s in all cases, and never less than four fifths of it in the end.
  EXPECT_GE(stream(130'000, 256 * 1024, 1s), 1'000u * 130'000 * 4 / 5);
}

TEST_F(ReadPaceTest, ATimerThatComesLateIsMadeUpFor) {
  stream(130'000, 256 * 1024, 1s);
  read(256 * 1024);
  now_ = *pace_.paused_until(now_) + 2ms;
  int portions = 0;
  while (pace_.may_read(now_) && portions < 100) {
    pace_.on_read(now_, 256 * 1024);
    ++portions;
  }
  EXPECT_GE(portions, 5);
  EXPECT_LT(portions, 100);
}

TEST_F(ReadPaceTest, ThePaceFollowsASlowerServer) {
  stream(130'000, 256 * 1024, 1s);
  EXPECT_GE(stream(40'000, 256 * 1024, 2s), 2'000u * 40'000 * 4 / 5);
  EXPECT_EQ(pace_.state(), State::kPaced);
}

TEST_F(ReadPaceTest, LargeRowsAreReadAsFastAsTheyCome) {
  stream(400'000, 1024 * 1024, 1s);
  EXPECT_GE(stream(400'000, 1024 * 1024, 1s), 1'000u * 400'000 * 4 / 5);
}

TEST_F(ReadPaceTest, AUnixSocketIsReadEmptyBeforeAPause) {
  pace_ = ReadPace(ReadPace::Wire::kUnixSocket);
  EXPECT_EQ(read(64 * 1024), 0s);
  EXPECT_EQ(read(64 * 1024), 0s);
  read(kOneRow);
  const auto pause = read(64 * 1024);
  EXPECT_GT(pause, 0s);
  EXPECT_LE(pause, 200us);
}

}  // namespace
}  // namespace walpost
