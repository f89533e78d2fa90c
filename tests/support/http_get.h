#pragma once

#include <cstdint>
#include <string>

namespace walpost::test {

struct HttpResponse {
  int status = 0;
  std::string body;
};

// GET http://127.0.0.1:port/path. Throws std::runtime_error when nobody answers.
[[nodiscard]] HttpResponse http_get(std::uint16_t port, const std::string& path);

}  // namespace walpost::test
