#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "file_descriptor.h"

namespace walpost::test {

struct ChildOptions {
  std::vector<std::string> argv = {};  // argv[0] is looked up in PATH
  // "NAME=value", the whole environment of the child; without it the child inherits ours.
  std::optional<std::vector<std::string>> environment = std::nullopt;
  // Both are appended to; they may be the same file, or a device such as /dev/full.
  std::filesystem::path stdout_file = "/dev/null";
  std::filesystem::path stderr_file = "/dev/null";
};

// A child process in a process group of its own, with /dev/null as its standard input. It is
// killed by the destructor, and by the kernel when the *thread* that started it ends: start it
// on the test's main thread.
class ChildProcess final {
 public:
  // Throws std::runtime_error if the program cannot be executed.
  explicit ChildProcess(const ChildOptions& options);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] bool running() { return !wait_exit_for(std::chrono::milliseconds(0)); }

  // Sends a signal to the process, or does nothing if it has ended.
  void signal(int number);
  // Sends a signal to the process and to all its descendants.
  void signal_tree(int number);

  // The exit code, or 128 + the signal that ended the process; nothing if it still runs after
  // `limit`.
  [[nodiscard]] std::optional<int> wait_exit_for(std::chrono::milliseconds limit);
  // The same, but throws std::runtime_error if it still runs after `limit`.
  int wait_exit(std::chrono::milliseconds limit);

  // User and system time of the process so far, or altogether once it has ended.
  [[nodiscard]] std::chrono::duration<double> cpu_time();
  // Peak resident memory (VmHWM). The process must still run: the kernel keeps no such number of
  // an ended process that does not include what its parent had when it forked.
  [[nodiscard]] std::size_t peak_memory_bytes();

 private:
  pid_t pid_ = -1;
  FileDescriptor pidfd_;
  std::string name_;
  std::optional<int> exit_code_;
  std::chrono::duration<double> cpu_time_at_exit_{0};
};

// Runs a program to its end and throws std::runtime_error, with the end of its output, unless it
// exits with 0.
void run_to_success(const ChildOptions& options, std::chrono::milliseconds limit);

}  // namespace walpost::test
