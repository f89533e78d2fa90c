#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace walpost {

// Numbers as people read them.

// "1,204,551".
[[nodiscard]] std::string count_text(std::uint64_t count);
// "512 B", "1.2 MiB", "-3.0 GiB".
[[nodiscard]] std::string bytes_text(std::int64_t bytes);
// "0ms", "25ms", "2.5s", "3m05s", "26h10m".
[[nodiscard]] std::string duration_text(std::chrono::microseconds duration);

}  // namespace walpost
