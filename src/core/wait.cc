#include "walpost/wait.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "walpost/check.h"
#include "walpost/error.h"

namespace walpost {
namespace {

// PostgreSQL, the slot watch, the sink, signals; room for a few more.
constexpr std::size_t kMaxDescriptors = 8;

short events_of(const WaitFor& wait) noexcept {
  return static_cast<short>((wait.readable ? POLLIN : 0) | (wait.writable ? POLLOUT : 0));
}

timespec to_timespec(Duration duration) noexcept {
  const auto ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::max(duration, Duration::zero()))
          .count();
  return {.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
}

}  // namespace

void wait_for_any(std::span<const WaitFor> waits, TimePoint deadline, const Clock& clock) {
  CHECK(waits.size() <= kMaxDescriptors);
  std::array<pollfd, kMaxDescriptors> descriptors{};
  nfds_t count = 0;
  for (const WaitFor& wait : waits) {
    if (wait.at) deadline = std::min(deadline, *wait.at);
    if (wait.fd < 0 || events_of(wait) == 0) continue;
    descriptors[count++] = {.fd = wait.fd, .events = events_of(wait), .revents = 0};
  }
  const timespec timeout = to_timespec(deadline - clock.now());
  if (::ppoll(descriptors.data(), count, &timeout, nullptr) < 0 && errno != EINTR) {
    throw Error(ExitCode::kUnexpected, fmt::format("ppoll: {}", std::strerror(errno)));
  }
}

}  // namespace walpost
