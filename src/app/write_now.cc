#include "write_now.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace walpost {
namespace {

bool takes_now(int fd) {
  pollfd target{.fd = fd, .events = POLLOUT, .revents = 0};
  return ::poll(&target, 1, 0) == 1 && (target.revents & POLLOUT) != 0;
}

}  // namespace

std::size_t write_now(int fd, std::string_view text) {
  std::size_t done = 0;
  while (done < text.size() && takes_now(fd)) {
    // A pipe that can be written to takes this much at once.
    const std::string_view part = text.substr(done, PIPE_BUF);
    const ssize_t written = ::write(fd, part.data(), part.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  return done;
}

}  // namespace walpost
