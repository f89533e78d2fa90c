#pragma once

#include <string>

namespace walpost {

// "15.20", the version of the libpq that is loaded.
[[nodiscard]] std::string libpq_version();

}  // namespace walpost
