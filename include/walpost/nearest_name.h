#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace walpost {

// The one of `names` that `typed` was most likely meant to be; nullopt when none is near. Counts
// letters that are missing, superfluous, wrong or swapped with their neighbour; else takes the only
// name that begins so.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view typed,
                                                      std::span<const std::string> names);

}  // namespace walpost
