#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace walpost {

// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.

// How many bytes the character has that `text` begins with; 0: it begins with none, or is empty.
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

[[nodiscard]] bool is_valid_utf8(std::string_view text) noexcept;

// The text with U+FFFD in place of each byte that is no UTF-8.
[[nodiscard]] std::string valid_utf8(std::string_view text);

}  // namespace walpost
