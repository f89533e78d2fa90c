#include "poll_until.h"

#include <poll.h>

#include <stdexcept>

namespace walpost::test {

void poll_until(const std::string& what, std::chrono::milliseconds limit,
                const std::function<bool()>& condition) {
  constexpr timespec kInterval{.tv_sec = 0, .tv_nsec = 5'000'000};
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) {
      throw std::runtime_error("not within " + std::to_string(limit.count()) + " ms: " + what);
    }
    ::ppoll(nullptr, 0, &kInterval, nullptr);
  }
}

}  // namespace walpost::test
