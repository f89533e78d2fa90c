#pragma once

#include <optional>
#include <span>

#include "walpost/clock.h"

namespace walpost {

// What one side of the pipeline waits for until it is worth asking again.
struct WaitFor {
  int fd = -1;                  // -1: no descriptor, only the time below
  bool readable = false;        // POLLIN
  bool writable = false;        // POLLOUT
  std::optional<TimePoint> at;  // ask again at this time, whatever the descriptor does
};

// Waits in one ppoll(2) until something in `waits` (at most 8) is ready, one of their times or
// `deadline` has come, or a signal handler ran. Which of them is not told: every part is asked
// anyway. `clock` must be the operating system's. Throws Error{kUnexpected} when ppoll(2) fails.
// For the loops of the other layers; nothing in the core waits. Safe on every thread.
void wait_for_any(std::span<const WaitFor> waits, TimePoint deadline, const Clock& clock);

}  // namespace walpost
