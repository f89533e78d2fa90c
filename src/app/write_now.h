#pragma once

#include <cstddef>
#include <string_view>

namespace walpost {

// Writes as much of `text` as the descriptor takes without waiting, and returns how many bytes that
// were. For what is only shown: a reader that has stopped must not stop the loop. The descriptor
// itself stays as it is, since others may share it.
[[nodiscard]] std::size_t write_now(int fd, std::string_view text);

}  // namespace walpost
