#pragma once

#include <cstdint>
#include <random>

namespace walpost::sim {

// All chance of a simulation comes from here, so that a seed repeats it on every machine (the
// standard's distributions differ between libraries).
class Random final {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // 0 … count - 1.
  [[nodiscard]] std::uint64_t below(std::uint64_t count) { return engine_() % count; }
  [[nodiscard]] bool percent(std::uint64_t chance) { return below(100) < chance; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace walpost::sim
