#pragma once

namespace walpost {

// A non-blocking eventfd(2): what wakes the loop of the one thread.
class EventFd final {
 public:
  EventFd();
  ~EventFd();
  EventFd(const EventFd&) = delete;
  EventFd& operator=(const EventFd&) = delete;

  [[nodiscard]] int fd() const noexcept { return fd_; }
  void signal() const noexcept;  // from any thread
  void clear() const noexcept;

 private:
  int fd_;
};

}  // namespace walpost
