#pragma once

#include <string>

namespace walpost {

// What `walpost --version` prints: walpost's version and those of its two client libraries.
[[nodiscard]] std::string version_text();

}  // namespace walpost
