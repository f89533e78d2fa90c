#include "sql_session.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "walpost/check.h"

namespace walpost {
namespace {

using namespace std::chrono_literals;
using namespace std::string_view_literals;
using ::testing::HasSubstr;

// Takes one login as PostgreSQL does and then says nothing more, as a stopped server does.
class SilentServer final {
 public:
  SilentServer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    CHECK(::bind(listener_, generic, size) == 0 && ::listen(listener_, 1) == 0);
    CHECK(::getsockname(listener_, generic, &size) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~SilentServer() {
    ::shutdown(listener_, SHUT_RDWR);  // ends an accept() under way
    thread_.join();
    ::close(listener_);
  }
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;

  [[nodiscard]] std::string conninfo() const {
    return "host=127.0.0.1 dbname=app user=app sslmode=disable gssencmode=disable port=" +
           std::to_string(port_);
  }

 private:
  void serve() const {
    // AuthenticationOk, ReadyForQuery (idle).
    constexpr auto kLoggedIn = "R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I"sv;
    const int client = ::accept(listener_, nullptr, nullptr);
    if (client < 0) return;
    std::array<char, 4096> buffer{};
    if (::read(client, buffer.data(), buffer.size()) > 0 &&
        ::write(client, kLoggedIn.data(), kLoggedIn.size()) > 0) {
      while (::read(client, buffer.data(), buffer.size()) > 0) {
      }
    }
    ::close(client);
  }

  int listener_;
  int port_ = 0;
  std::thread thread_;
};

TEST(SqlSession, AServerThatStopsAnsweringIsNotWaitedForForEver) {
  const SilentServer server;
  SqlSession session(server.conninfo(), 50ms);
  try {
    (void)session.query("SELECT 1");
    FAIL() << "it answered";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::kPostgresUnreachable);
    EXPECT_TRUE(error.is_retryable());
    EXPECT_THAT(error.what(), HasSubstr("did not answer in time"));
    EXPECT_NE(error.hint(), "");
  }
}

}  // namespace
}  // namespace walpost
