#include "event_fd.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace walpost {

EventFd::EventFd() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) {
    throw std::system_error(errno, std::generic_category(), "eventfd");
  }
}

EventFd::~EventFd() { close(fd_); }

void EventFd::signal() const noexcept {
  const std::uint64_t one = 1;
  // It fails only when the counter is full, and then the reader is awake anyway.
  [[maybe_unused]] const ssize_t written = write(fd_, &one, sizeof one);
}

void EventFd::clear() const noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t size = read(fd_, &count, sizeof count);
}

}  // namespace walpost
