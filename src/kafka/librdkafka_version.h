#pragma once

#include <string>

namespace walpost {

// "2.0.2", the version of the librdkafka that is loaded.
[[nodiscard]] std::string librdkafka_version();

}  // namespace walpost
