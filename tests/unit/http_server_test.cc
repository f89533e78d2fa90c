#include "http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>

#include "walpost/error.h"

namespace walpost {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const HttpAddress kAnyPort{"127.0.0.1", 0};

// A connection that has said nothing yet; -1: refused.
int connected(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    ::close(fd);
    return -1;
  }
  return fd;
}

// The whole response to GET `path`.
std::string get(std::uint16_t port, const std::string& path) {
  const int fd = connected(port);
  if (fd < 0) return "refused";
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(::send(fd, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  std::string response;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 0; (size = ::recv(fd, buffer.data(), buffer.size(), 0)) > 0;) {
    response.append(buffer.data(), static_cast<std::size_t>(size));
  }
  ::close(fd);
  return response;
}

// The lines that serve_http() logs.
struct Lines {
  std::string text;
  Log log = [this](LogLevel, std::string_view message, std::initializer_list<LogField> fields) {
    text += message;
    for (const LogField& field : fields) text += " " + std::string(field.key) + "=" + field.value;
    text += '\n';
  };
};

TEST(HttpServerTest, AnswersItsRoutes) {
  const HttpServer server(kAnyPort, {{"/a", [] {
                                        return HttpAnswer{503, "text/plain", "why\n"};
                                      }}});
  EXPECT_THAT(get(server.port(), "/a"), StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(get(server.port(), "/a"), HasSubstr("why\n"));
  EXPECT_THAT(get(server.port(), "/b"), StartsWith("HTTP/1.1 404"));
}

TEST(HttpServerTest, EndsWithItsObject) {
  std::uint16_t port = 0;
  {
    const HttpServer server(kAnyPort, {});
    port = server.port();
  }
  EXPECT_EQ(get(port, "/"), "refused");
}

TEST(HttpServerTest, ClientsThatSayNothingHoldUpNeitherOthersNorTheEnd) {
  using std::chrono::steady_clock;
  std::array<int, 4> silent{};
  const auto begin = steady_clock::now();
  {
    const HttpServer server(kAnyPort, {{"/a", [] {
                                          return HttpAnswer{200, "text/plain", "yes\n"};
                                        }}});
    for (int& fd : silent) fd = connected(server.port());
    EXPECT_THAT(get(server.port(), "/a"), HasSubstr("yes\n"));
    EXPECT_LT(steady_clock::now() - begin, std::chrono::milliseconds(800));
  }
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(3));
  for (const int fd : silent) ::close(fd);
}

TEST(HttpServerTest, TakenPortIsRefused) {
  const HttpServer first(kAnyPort, {});
  try {
    const HttpServer second({"127.0.0.1", first.port()}, {});
    FAIL() << "two servers on one port";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("Address already in use"));
  }
}

TEST(ServeHttpTest, DefaultAddressThatIsTakenIsDoneWithout) {
  const HttpServer first(kAnyPort, {});
  Options options;
  options.http.port = first.port();
  Lines lines;
  EXPECT_EQ(serve_http(options, {}, lines.log), nullptr);
  EXPECT_THAT(lines.text, HasSubstr("going on without metrics and health"));
  options.http_asked_for = true;
  EXPECT_THROW(static_cast<void>(serve_http(options, {}, lines.log)), Error);
}

TEST(ServeHttpTest, FreePortIsLogged) {
  Options options;
  options.http = kAnyPort;
  options.http_asked_for = true;
  Lines lines;
  const auto server = serve_http(options, {}, lines.log);
  ASSERT_NE(server, nullptr);
  EXPECT_THAT(lines.text, HasSubstr("http=127.0.0.1:" + std::to_string(server->port())));
}

TEST(ServeHttpTest, NothingIsServedWithoutHttp) {
  Options options;
  options.no_http = true;
  EXPECT_EQ(serve_http(options, {}, Lines().log), nullptr);
}

TEST(ProcessRoutesTest, HealthAndReadinessAreStatusCodes) {
  Stats stats;
  const SystemClock clock;
  const SlotGauges gauges;
  const RecentErrors errors;
  const ProcessView view{stats, gauges, errors, clock, "s", "p", "d", std::nullopt};
  stats.heartbeat_ns = clock.now().time_since_epoch().count();
  const HttpServer server(kAnyPort, process_routes(view));
  EXPECT_THAT(get(server.port(), "/healthz"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(get(server.port(), "/readyz"), StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(get(server.port(), "/readyz"), HasSubstr("PostgreSQL does not stream: connecting"));
  stats.state = PipelineState::kStreaming;
  stats.sink_reachable = true;
  EXPECT_THAT(get(server.port(), "/readyz"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(get(server.port(), "/readyz"), HasSubstr("\r\n\r\nok\n"));
  EXPECT_THAT(get(server.port(), "/metrics"), HasSubstr("walpost_state{state=\"streaming\"} 1"));
  EXPECT_THAT(get(server.port(), "/status"), HasSubstr("\"slot\":\"s\""));
  EXPECT_THAT(get(server.port(), "/"), HasSubstr("slot s"));
}

TEST(ProcessRoutesTest, ProcessThatStandsByIsReady) {
  Stats stats;
  stats.standby = true;
  const SystemClock clock;
  const SlotGauges gauges;
  const RecentErrors errors;
  const ProcessView view{stats, gauges, errors, clock, "s", "p", "d", std::nullopt};
  stats.heartbeat_ns = clock.now().time_since_epoch().count();
  const HttpServer server(kAnyPort, process_routes(view));
  EXPECT_THAT(get(server.port(), "/readyz"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(get(server.port(), "/readyz"), HasSubstr("\r\n\r\nstandby\n"));
}

}  // namespace
}  // namespace walpost
