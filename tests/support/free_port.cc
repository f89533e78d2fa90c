#include "free_port.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <random>
#include <set>
#include <stdexcept>

#include "file_descriptor.h"

namespace walpost::test {
namespace {

bool can_bind(std::uint16_t port) {
  const FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

std::uint16_t free_port() {
  constexpr int kAttempts = 1000;
  // Other test processes pick at the same time: random, so that two rarely meet.
  static std::random_device random;
  static std::set<std::uint16_t> handed_out;
  std::uniform_int_distribution<int> ports(15000, 31999);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto port = static_cast<std::uint16_t>(ports(random));
    if (!handed_out.contains(port) && can_bind(port)) {
      handed_out.insert(port);
      return port;
    }
  }
  throw std::runtime_error("no free TCP port on 127.0.0.1");
}

}  // namespace walpost::test
