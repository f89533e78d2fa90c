#include "walpost/read_pace.h"

#include <algorithm>

namespace walpost {
namespace {

using namespace std::chrono_literals;

// The stream is busy once this much waits at one read, …
constexpr std::size_t kBusyBytes = 8 * 1024;
// … or after this many reads in a row that found data within this time of the one before. At 1,000
// events a second the distance is 1 ms.
constexpr int kBusyReads = 4;
constexpr auto kCloseReads = 200us;
// It is idle again after this many reads in a row that found nothing.
constexpr int kIdleReads = 2;

constexpr auto kShortestPause = 50us;
constexpr auto kLongestPause = 200us;
constexpr std::size_t kLowWater = 48 * 1024;
constexpr std::size_t kHighWater = 128 * 1024;

}  // namespace

void ReadPace::on_read(TimePoint now, std::size_t queued_bytes) noexcept {
  if (queued_bytes == 0) {
    close_reads_ = 0;
    if (is_busy_ && ++empty_reads_ >= kIdleReads) is_busy_ = false;
  } else {
    close_reads_ = now - last_data_ < kCloseReads ? close_reads_ + 1 : 0;
    empty_reads_ = 0;
    last_data_ = now;
    if (queued_bytes >= kBusyBytes || close_reads_ >= kBusyReads) is_busy_ = true;
  }
  if (!is_busy_) return;
  if (wire_ == Wire::kTcp) {
    adapt(queued_bytes);
    paused_until_ = now + pause_;
  } else if (queued_bytes == 0) {
    paused_until_ = now + kLongestPause;
  }
}

void ReadPace::adapt(std::size_t queued_bytes) noexcept {
  if (queued_bytes < kLowWater) {
    pause_ += 5us;
  } else if (queued_bytes > kHighWater) {
    pause_ -= 1us;
  }
  pause_ = std::clamp<std::chrono::microseconds>(pause_, kShortestPause, kLongestPause);
}

}  // namespace walpost
