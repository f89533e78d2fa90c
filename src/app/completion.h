#pragma once

#include <string>
#include <string_view>

namespace walpost {

// The completion script of a shell: "bash", "zsh" or "fish". Throws Error{kUsage} for another.
[[nodiscard]] std::string completion_script(std::string_view shell);

}  // namespace walpost
