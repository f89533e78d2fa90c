#pragma once

#include <optional>
#include <string>
#include <utility>

namespace walpost::sim {

// The first promise that was seen broken ends a simulation.
class Violations final {
 public:
  void add(std::string what) {
    if (!first_) first_ = std::move(what);
  }
  [[nodiscard]] const std::optional<std::string>& first() const { return first_; }

 private:
  std::optional<std::string> first_;
};

}  // namespace walpost::sim
