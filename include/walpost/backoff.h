#pragma once

#include <chrono>
#include <cstdint>
#include <random>

namespace walpost {

// Capped exponential delays with jitter: the n-th is drawn evenly from the upper half of
// min(initial * 2^n, cap), so that many clients of one server spread out and none waits much less
// than meant. Deterministic for a seed.
class Backoff final {
 public:
  static constexpr std::chrono::milliseconds kInitial{100};
  static constexpr std::chrono::milliseconds kCap{10'000};

  explicit Backoff(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] std::chrono::milliseconds next();
  // After a success: begin with the initial delay again.
  void reset() noexcept { limit_ = kInitial; }

 private:
  std::mt19937_64 random_;
  std::chrono::milliseconds limit_ = kInitial;
};

}  // namespace walpost
