#pragma once

#include <csignal>
#include <optional>

#include "walpost/wait.h"

namespace walpost {

// SIGTERM, SIGINT and SIGHUP as a descriptor (signalfd) instead of handlers: they are read where
// the loop looks, and interrupt nothing. SIGPIPE and SIGXFSZ are ignored: what they say is an error
// of write(2) too.
//
// Made first in main, while there is one thread: every later thread inherits the mask.
class Signals final {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // The next signal that came; nullopt: none.
  [[nodiscard]] std::optional<int> take();
  [[nodiscard]] WaitFor wait_for() const { return {.fd = fd_, .readable = true}; }

 private:
  int fd_ = -1;
  sigset_t previous_mask_{};
};

}  // namespace walpost
