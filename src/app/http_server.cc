#include "http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <future>
#include <thread>

#include "walpost/error.h"

namespace walpost {
namespace {

// A monitor and a scraper at a time, and some that connect and say nothing, which are dropped soon:
// /healthz must not wait for them, nor must the end of the server.
constexpr std::size_t kThreads = 8;
constexpr std::chrono::seconds kClientTimeout{1};

void answer(const HttpRoute& route, httplib::Response& response) {
  HttpAnswer answer = route.answer();
  response.status = answer.status;
  response.set_content(answer.body, answer.content_type);
}

// httplib's own default is SO_REUSEPORT, with which two processes take one port in silence.
void set_socket_options(int socket) {
  const int yes = 1;
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)));
}

HttpAnswer yes_or_problems(const std::vector<std::string>& problems,
                           const std::string& yes = "ok\n") {
  if (problems.empty()) return {200, "text/plain", yes};
  std::string body;
  for (const std::string& problem : problems) body += problem + '\n';
  return {503, "text/plain", body};
}

}  // namespace

struct HttpServer::Impl {
  httplib::Server server;
  std::promise<void> listens;
  std::thread thread;
};

HttpServer::HttpServer(const HttpAddress& address, const std::vector<HttpRoute>& routes)
    : impl_(std::make_unique<Impl>()) {
  httplib::Server& server = impl_->server;
  // httplib asks for its task queue, which it then owns, once it listens. Before that moment its
  // stop() is without effect, hence the wait for it below.
  server.new_task_queue = [this] {
    impl_->listens.set_value();
    return std::make_unique<httplib::ThreadPool>(kThreads).release();
  };
  server.set_socket_options(set_socket_options);
  server.set_read_timeout(kClientTimeout);
  server.set_write_timeout(kClientTimeout);
  server.set_keep_alive_max_count(1);
  server.set_keep_alive_timeout(kClientTimeout.count());  // for the first request too
  for (const HttpRoute& route : routes) {
    server.Get(route.path, [route](const httplib::Request&, httplib::Response& response) {
      answer(route, response);
    });
  }
  errno = 0;
  const int port = address.port == 0
                       ? server.bind_to_any_port(address.host)
                       : (server.bind_to_port(address.host, address.port) ? address.port : -1);
  if (port < 0) {
    throw Error(ExitCode::kUsage,
                fmt::format("--http: {}:{}: {}", address.host, address.port,
                            errno == 0 ? "the address cannot be used" : std::strerror(errno)),
                "name another address with --http HOST:PORT, or give --no-http");
  }
  port_ = static_cast<std::uint16_t>(port);
  impl_->thread = std::thread([&server] { server.listen_after_bind(); });
  impl_->listens.get_future().wait();
}

HttpServer::~HttpServer() {
  impl_->server.stop();
  impl_->thread.join();
}

std::vector<HttpRoute> process_routes(const ProcessView& view) {
  return {
      {"/metrics",
       [&view] {
         return HttpAnswer{200, "text/plain; version=0.0.4; charset=utf-8", metrics_text(view)};
       }},
      {"/healthz", [&view] { return yes_or_problems(health_problems(view)); }},
      {"/readyz",
       [&view] {
         return yes_or_problems(
             readiness_problems(view),
             view.stats.standby.load(std::memory_order_relaxed) ? "standby\n" : "ok\n");
       }},
      {"/status",
       [&view] {
         return HttpAnswer{200, "application/json", status_json(view)};
       }},
      {"/",
       [&view] {
         return HttpAnswer{200, "text/plain; charset=utf-8", index_page(view)};
       }},
  };
}

std::unique_ptr<HttpServer> serve_http(const Options& options, const std::vector<HttpRoute>& routes,
                                       const Log& log) {
  if (options.no_http) return nullptr;
  try {
    auto server = std::make_unique<HttpServer>(options.http, routes);
    log(LogLevel::kInfo, "serving metrics and health",
        {{"http", fmt::format("{}:{}", options.http.host, server->port())}});
    return server;
  } catch (const Error& error) {
    if (options.http_asked_for) throw;
    log(LogLevel::kWarn, "going on without metrics and health",
        {{"error", error.what()}, {"hint", error.hint()}});
    return nullptr;
  }
}

}  // namespace walpost
