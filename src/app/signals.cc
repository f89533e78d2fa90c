#include "signals.h"

#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "walpost/error.h"

namespace walpost {

Signals::Signals() {
  sigset_t mask;
  sigemptyset(&mask);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&mask, signal);
  pthread_sigmask(SIG_BLOCK, &mask, &previous_mask_);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error of write(2) too
  fd_ = ::signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
  if (fd_ < 0) {
    throw Error(ExitCode::kUnexpected, fmt::format("signalfd: {}", std::strerror(errno)));
  }
}

Signals::~Signals() {
  ::close(fd_);
  pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
}

std::optional<int> Signals::take() {
  signalfd_siginfo info{};
  if (::read(fd_, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace walpost
