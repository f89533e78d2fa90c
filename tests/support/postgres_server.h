#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "child_process.h"
#include "poll_until.h"
#include "scratch.h"

namespace walpost::test {

// Every major version that walpost supports.
inline constexpr std::array<int, 5> kPostgresMajors{14, 15, 16, 17, 18};

enum class StopMode { kSmart, kFast, kImmediate };

// A PostgreSQL server of a given major version with a data directory of its own, on 127.0.0.1 and
// on a unix socket. `wal_level` is logical, `fsync` is off, every connection is trusted, and the
// superuser is `postgres`. Throws std::runtime_error when the server is missing or does not do
// what it is told: a test that needs it then fails.
class PostgresServer final {
 public:
  using Settings = std::vector<std::pair<std::string, std::string>>;

  // Creates the data directory and starts the server. `settings` are set in postgresql.conf after
  // the ones above.
  explicit PostgresServer(int major, const Settings& settings = {});
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer();

  // The server of this version that all tests of this process share, started by the first of
  // them. A test that stops it or changes its settings puts it back.
  [[nodiscard]] static PostgresServer& shared(int major);

  // Starts the server again after a stop or crash.
  void start();
  void stop(StopMode mode, std::chrono::milliseconds limit = kPatience);
  void restart(StopMode mode = StopMode::kFast);
  // Asks the server to stop and returns at once; `wait_stopped` waits for it.
  void request_stop(StopMode mode);
  void wait_stopped(std::chrono::milliseconds limit = kPatience);
  // SIGKILL to all its processes.
  void kill();
  // SIGSTOP and SIGCONT to all its processes.
  void pause();
  void resume();
  // Lines for postgresql.conf that take effect at the next `reload` or restart.
  void set(const std::string& name, const std::string& value);
  void reload();

  // Creates an empty database with a name of its own and returns the name.
  [[nodiscard]] std::string create_database();

  // Over TCP.
  [[nodiscard]] std::string conninfo(const std::string& database = "postgres",
                                     const std::string& user = "postgres") const;
  // Over the unix socket.
  [[nodiscard]] std::string socket_conninfo(const std::string& database = "postgres",
                                            const std::string& user = "postgres") const;
  [[nodiscard]] int major() const { return major_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::filesystem::path data_directory() const { return scratch_.path() / "data"; }
  [[nodiscard]] const std::filesystem::path& log_file() const { return log_file_; }

 private:
  void initialize(const Settings& settings);
  [[nodiscard]] ChildOptions command(const std::string& program,
                                     const std::vector<std::string>& arguments) const;

  int major_;
  std::uint16_t port_;
  ScratchDirectory scratch_;
  std::filesystem::path log_file_;
  std::optional<ChildProcess> postmaster_;
  int databases_created_ = 0;
};

}  // namespace walpost::test
