#pragma once

#include "walpost/clock.h"

namespace walpost::sim {

// Time passes only when the simulation says so.
class ModelClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return now_; }
  [[nodiscard]] PgTimestamp wall_now() const override {
    constexpr std::int64_t kIn2026Us = 830'000'000'000'000;
    const auto since_start = now_.time_since_epoch();
    return PgTimestamp(kIn2026Us +
                       std::chrono::duration_cast<std::chrono::microseconds>(since_start).count());
  }
  void advance(Duration by) { now_ += by; }

 private:
  TimePoint now_{std::chrono::hours(1)};
};

}  // namespace walpost::sim
