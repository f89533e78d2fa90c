#pragma once

#include <span>
#include <string>

#include "command_line.h"

namespace walpost {

// What `walpost config show` prints: one option a line in the form of a configuration file, with
// its origin as a comment, secrets masked.
[[nodiscard]] std::string config_show_text(std::span<const Setting> settings);

}  // namespace walpost
