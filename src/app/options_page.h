#pragma once

#include <string>

namespace walpost {

// docs/OPTIONS.md, the reference of all options; `walpost options-page` prints it, and a test fails
// when the file in the tree is another.
[[nodiscard]] std::string options_page();
// walpost.1 in troff, for `man walpost`.
[[nodiscard]] std::string man_page();

}  // namespace walpost
