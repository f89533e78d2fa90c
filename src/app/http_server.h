#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "options.h"
#include "process_view.h"
#include "walpost/log.h"

namespace walpost {

struct HttpAnswer {
  int status = 200;
  std::string content_type;
  std::string body;
};

// One path that answers GET. The function is called on the server's threads.
struct HttpRoute {
  std::string path;
  std::function<HttpAnswer()> answer;
};

// Serves the routes on threads of its own from construction to destruction.
class HttpServer final {
 public:
  // Throws Error{kUsage} when the address cannot be had.
  HttpServer(const HttpAddress& address, const std::vector<HttpRoute>& routes);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::uint16_t port_ = 0;
};

// /metrics, /healthz, /readyz, /status and / of this view, which must outlive the routes.
[[nodiscard]] std::vector<HttpRoute> process_routes(const ProcessView& view);

// The server that the options ask for; null with --no-http, and (with a warning) when the default
// address is taken. Throws Error{kUsage} when an address given by hand is taken.
[[nodiscard]] std::unique_ptr<HttpServer> serve_http(const Options& options,
                                                     const std::vector<HttpRoute>& routes,
                                                     const Log& log);

}  // namespace walpost
