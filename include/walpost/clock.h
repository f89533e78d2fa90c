#pragma once

#include <chrono>

#include "walpost/pg_time.h"

namespace walpost {

using Duration = std::chrono::steady_clock::duration;
using TimePoint = std::chrono::steady_clock::time_point;

// The seam to time. Every deadline in walpost is read from here, so that the simulation decides
// when it comes.
class Clock {
 public:
  virtual ~Clock() = default;

  // Monotonic; for deadlines and ages.
  [[nodiscard]] virtual TimePoint now() const = 0;
  // The wall clock; for the client_time of a status update and the age of a commit.
  [[nodiscard]] virtual PgTimestamp wall_now() const = 0;
};

// The clocks of the operating system.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override;
  [[nodiscard]] PgTimestamp wall_now() const override;
};

}  // namespace walpost
