#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace walpost {

// The positions of names in the order they were added. The names must outlive it.
class NameIndex final {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t i) const { return names_[i]; }

  // `guess`: where the name would stand if it stood where the caller expects it.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name, std::size_t guess) const {
    if (guess < names_.size() && names_[guess] == name) return guess;
    if (names_.size() > kLinear) {
      const auto found = positions_.find(name);
      if (found == positions_.end()) return std::nullopt;
      return found->second;
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return i;
    }
    return std::nullopt;
  }

  // A name that is not in it yet.
  void add(std::string_view name) {
    names_.push_back(name);
    if (names_.size() <= kLinear) return;
    if (positions_.empty()) {
      for (std::size_t i = 0; i + 1 < names_.size(); ++i) positions_.emplace(names_[i], i);
    }
    positions_.emplace(name, names_.size() - 1);
  }

 private:
  // Up to here, comparing is cheaper than hashing.
  static constexpr std::size_t kLinear = 16;

  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, std::size_t> positions_;  // empty up to kLinear names
};

}  // namespace walpost
