#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walpost {

// --headers-from: the members of a JSON object in their order, as headers. A string is its text, a
// number its digits, an object or array its compact JSON, null a header without a value.
//
// Throws ValueRefusal (column_type.h) for what is no JSON object.
[[nodiscard]] std::vector<std::pair<std::string, std::optional<std::string>>> header_members(
    std::string_view json);

}  // namespace walpost
