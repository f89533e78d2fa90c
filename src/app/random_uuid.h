#pragma once

#include <string>

namespace walpost {

// A random UUID of version 4 (RFC 9562), in lower case.
[[nodiscard]] std::string random_uuid();

}  // namespace walpost
