#pragma once

#include <cstdint>

namespace walpost::test {

// A TCP port of 127.0.0.1 on which nobody listens. It lies below the range from which the kernel
// takes the local ports of outgoing connections, so a server can be stopped and started on it.
[[nodiscard]] std::uint16_t free_port();

}  // namespace walpost::test
