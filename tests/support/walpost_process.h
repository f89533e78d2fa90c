#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "child_process.h"
#include "poll_until.h"

namespace walpost::test {

struct WalpostOptions {
  // "NAME=value". The rest of the environment is ours without PG* and WALPOST_*, so that the
  // developer's own settings do not change a test.
  std::vector<std::string> environment = {};
  // Where stdout goes instead of a file of its own, for example /dev/full.
  std::optional<std::filesystem::path> stdout_file = std::nullopt;
};

// The walpost binary as a child process: $WALPOST_BINARY, else the one of this build.
class WalpostProcess final {
 public:
  explicit WalpostProcess(const std::vector<std::string>& arguments,
                          const WalpostOptions& options = {});

  // Returns the first line of stderr, from byte `from` on, that contains `text`; waits for it.
  // Throws std::runtime_error, with the end of the log, when it does not come within `limit` or
  // when walpost ends without having written it.
  std::string wait_for_log(const std::string& text, std::chrono::milliseconds limit = kPatience,
                           std::size_t from = 0);
  // The same for a line in which the ECMAScript regular expression `pattern` is found.
  std::string wait_for_log_matching(const std::string& pattern,
                                    std::chrono::milliseconds limit = kPatience,
                                    std::size_t from = 0);

  void signal(int number) { child_.signal(number); }
  // The exit code, or 128 + the signal that ended it; throws if it still runs after `limit`.
  int wait_exit(std::chrono::milliseconds limit = kPatience);
  // SIGTERM, then `wait_exit`.
  int terminate(std::chrono::milliseconds limit = kPatience);
  // SIGKILL, and waits for the end.
  void kill();

  [[nodiscard]] std::string stdout_text() const;
  [[nodiscard]] std::string stderr_text() const;
  [[nodiscard]] const std::filesystem::path& stderr_file() const { return stderr_file_; }
  // Running, pid, CPU time, peak memory.
  [[nodiscard]] ChildProcess& child() { return child_; }

 private:
  std::filesystem::path stderr_file_;
  std::filesystem::path stdout_file_;
  ChildProcess child_;
};

// What a command that ends by itself left behind.
struct WalpostResult {
  int exit_code;
  std::string stdout_text;
  std::string stderr_text;
};

// Runs walpost to its end.
[[nodiscard]] WalpostResult run_walpost(const std::vector<std::string>& arguments,
                                        const WalpostOptions& options = {},
                                        std::chrono::milliseconds limit = kPatience);

}  // namespace walpost::test
