#pragma once

#include <string>

#include "command_table.h"

namespace walpost {

// `walpost --help`, and what a missing command shows.
[[nodiscard]] std::string help_text();
// `walpost COMMAND --help`.
[[nodiscard]] std::string command_help_text(Command command);

}  // namespace walpost
