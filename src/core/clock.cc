#include "walpost/clock.h"

namespace walpost {

TimePoint SystemClock::now() const { return std::chrono::steady_clock::now(); }

PgTimestamp SystemClock::wall_now() const {
  return PgTimestamp::from_system(std::chrono::system_clock::now());
}

}  // namespace walpost
