#pragma once

#include <string>
#include <string_view>

namespace walpost {

// "name" with quotes inside doubled; always quoted, so that no name is folded or is a keyword. For
// SQL, and for messages that name a table or a slot.
[[nodiscard]] std::string quote_identifier(std::string_view name);

}  // namespace walpost
