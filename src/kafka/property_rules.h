#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace walpost {

// A librdkafka property that walpost sets before the operator's.
struct OwnProperty {
  const char* name;
  const char* value;
};

[[nodiscard]] std::span<const OwnProperty> own_properties() noexcept;

// Why the operator may not give `name` this value: the guarantee rests on it, or it would have no
// effect. nullopt: may.
[[nodiscard]] std::optional<std::string_view> refusal(std::string_view name,
                                                      std::string_view value) noexcept;

// Why the operator should rather not. nullopt: nothing to say.
[[nodiscard]] std::optional<std::string_view> warning(std::string_view name,
                                                      std::string_view value) noexcept;

}  // namespace walpost
