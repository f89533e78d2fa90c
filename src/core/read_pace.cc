#include "walpost/read_pace.h"

#include <algorithm>

namespace walpost {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPortion = 16UL * 1024;

// A stream is busy after this many reads in a row that found data within this time of the one
// before, or once this much waits. At 1,000 events a second the distance is 1 ms.
constexpr int kCloseReads = 4;
constexpr auto kClose = 200us;
constexpr std::size_t kMuch = 8UL * 1024;
// And it is idle again after this many reads in a row that found nothing.
constexpr int kEmptyReads = 2;
constexpr auto kBusyPause = 200us;
// A pause of kBusyPause that brings this much, again and again, is full speed (30 MB/s).
constexpr std::size_t kFullSpeed = 6UL * 1024;
constexpr int kFullSpeedReads = 8;

// While the window fills: at full speed two to four times what one portion takes comes meanwhile.
constexpr auto kFillingPause = 1ms;
// Linux begins with a window of 64 KB; most of it.
constexpr std::size_t kFull = 48UL * 1024;
// Reads in a row that found less than a portion: while filling, the stream is slower than it
// seemed; while paced, the socket ran dry. One of them is the trough between two openings of the
// window.
constexpr int kDryReads = 4;

// Finding the pace: this much shorter every so often, down to a bound that only slowly gives way.
// When the socket ran dry, the bound is this much longer than the pause that was too short, and the
// next pauses longer still, so that the window is surely full before the search goes on.
constexpr auto kFasterInterval = 5ms;
constexpr double kFaster = 0.95;
constexpr double kBoundGivesWay = 0.999;
constexpr double kBoundAboveDry = 1.25;
constexpr double kSlowAfterDry = 2;
constexpr auto kCatchUp = 5ms;
constexpr auto kLongestPause = 1ms;

}  // namespace

void ReadPace::enter(State state) noexcept {
  state_ = state;
  count_ = 0;
}

void ReadPace::on_read(TimePoint now, std::size_t queued_bytes) noexcept {
  switch (state_) {
    case State::kPolled:
      leave_polled(now, queued_bytes);
      break;
    case State::kBusy:
      on_read_busy(now, queued_bytes);
      break;
    case State::kFilling:
      on_read_filling(now, queued_bytes);
      break;
    case State::kPaced:
      on_read_paced(now, queued_bytes);
      break;
  }
}

void ReadPace::leave_polled(TimePoint now, std::size_t queued_bytes) noexcept {
  if (queued_bytes == 0) return;
  count_ = now - last_data_ < kClose ? count_ + 1 : 0;
  last_data_ = now;
  if (queued_bytes < kMuch && count_ < kCloseReads) return;
  enter(State::kBusy);
  if (wire_ == Wire::kTcp) paused_until_ = now + kBusyPause;
}

void ReadPace::on_read_busy(TimePoint now, std::size_t queued_bytes) noexcept {
  if (wire_ == Wire::kUnixSocket) {
    count_ = queued_bytes == 0 ? count_ + 1 : 0;
    if (count_ >= kEmptyReads) return enter(State::kPolled);
    if (queued_bytes < kPortion) paused_until_ = now + kBusyPause;
    return;
  }
  paused_until_ = now + kBusyPause;
  if (queued_bytes == 0) {
    // Counted below zero, full speed above it.
    count_ = std::min(count_, 0) - 1;
    if (count_ <= -kEmptyReads) {
      enter(State::kPolled);
      paused_until_ = now;
    }
    return;
  }
  count_ = queued_bytes >= kFullSpeed ? std::max(count_, 0) + 1 : 0;
  if (count_ >= kFullSpeedReads) enter(State::kFilling);
}

void ReadPace::on_read_filling(TimePoint now, std::size_t queued_bytes) noexcept {
  paused_until_ = now + kFillingPause;
  const bool grew = queued_bytes >= last_queued_bytes_ + kPortion;
  last_queued_bytes_ = queued_bytes;
  if (queued_bytes >= kFull && !grew) {
    enter(State::kPaced);
    next_faster_ = now + kFasterInterval;
    paused_until_ = now + pause_;
  } else if (queued_bytes < kPortion) {
    if (++count_ >= kDryReads) enter(State::kBusy);
  } else {
    count_ = 0;
  }
}

void ReadPace::on_read_paced(TimePoint now, std::size_t queued_bytes) noexcept {
  const auto scaled = [](Pause pause, double factor) {
    return std::chrono::duration_cast<Pause>(pause * factor);
  };
  count_ = queued_bytes < kPortion ? count_ + 1 : 0;
  if (count_ >= kDryReads) {
    shortest_ = std::min<Pause>(scaled(pause_, kBoundAboveDry) + 1us, kLongestPause);
    pause_ = std::min<Pause>(scaled(pause_, kSlowAfterDry) + 1us, kLongestPause);
    last_queued_bytes_ = 0;
    enter(State::kFilling);
    paused_until_ = now + kFillingPause;
    return;
  }
  if (now >= next_faster_) {
    shortest_ = scaled(shortest_, kBoundGivesWay);
    pause_ = std::max(shortest_, scaled(pause_, kFaster));
    next_faster_ = now + kFasterInterval;
  }
  // A thread that the machine let wait longer than it asked for catches up, while enough is left.
  const auto due = std::max(paused_until_, now - kCatchUp) + pause_;
  paused_until_ = queued_bytes >= kFull + kPortion ? due : now + pause_;
}

}  // namespace walpost
