#include "http_get.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <stdexcept>

#include "file_descriptor.h"

namespace walpost::test {

HttpResponse http_get(std::uint16_t port, const std::string& path) {
  const FileDescriptor connection(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
      0) {
    throw std::runtime_error("nobody listens on port " + std::to_string(port));
  }
  const std::string request = "GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
  if (::send(connection.get(), request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size())) {
    throw std::runtime_error("the request was not taken");
  }
  std::string response;
  std::array<char, 4096> buffer;
  for (ssize_t count; (count = ::recv(connection.get(), buffer.data(), buffer.size(), 0)) > 0;) {
    response.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const auto body = response.find("\r\n\r\n");
  if (!response.starts_with("HTTP/1.") || body == std::string::npos) {
    throw std::runtime_error("no HTTP response: " + response);
  }
  return {std::stoi(response.substr(9, 3)), response.substr(body + 4)};
}

}  // namespace walpost::test
