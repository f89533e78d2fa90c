#include "walpost/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace walpost {
namespace {

// The optimal string alignment distance, on three rows of its matrix.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before_last(right.size() + 1);
  std::vector<std::size_t> last(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[right.size()];
}

std::optional<std::string> only_name_that_begins(std::string_view typed,
                                                 std::span<const std::string> names) {
  constexpr std::size_t kFewestLetters = 3;
  const auto begins = [&](const std::string& name) { return name.starts_with(typed); };
  if (typed.size() < kFewestLetters || std::ranges::count_if(names, begins) != 1) {
    return std::nullopt;
  }
  return *std::ranges::find_if(names, begins);
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view typed,
                                        std::span<const std::string> names) {
  // Beyond a third of the letters a suggestion would be a guess.
  std::size_t least = std::max<std::size_t>(2, typed.size() / 3) + 1;
  std::optional<std::string> nearest;
  for (const std::string& name : names) {
    const std::size_t edits = distance(typed, name);
    if (edits < least && edits < name.size()) {
      least = edits;
      nearest = name;
    }
  }
  return nearest ? nearest : only_name_that_begins(typed, names);
}

}  // namespace walpost
