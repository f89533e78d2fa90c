#pragma once

#include <optional>

#include "walpost/clock.h"

namespace walpost {

// What one side of the pipeline waits for until it is worth asking again.
struct WaitFor {
  int fd = -1;                  // -1: no descriptor, only the time below
  bool readable = false;        // POLLIN
  bool writable = false;        // POLLOUT
  std::optional<TimePoint> at;  // ask again at this time, whatever the descriptor does
};

}  // namespace walpost
