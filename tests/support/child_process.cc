#include "child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "scratch.h"

namespace walpost::test {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

FileDescriptor open_file(const std::filesystem::path& file, int flags) {
  const int fd = ::open(file.c_str(), flags | O_CLOEXEC, 0644);
  if (fd < 0) fail(file.string());
  return FileDescriptor(fd);
}

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& s : strings) pointers.push_back(const_cast<char*>(s.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

struct ChildSetup {
  pid_t parent;
  int in, out, err, report;
  char* const* argv;
  char* const* environment;
};

// Runs between fork and exec, hence only async-signal-safe calls. Tells `report` why it failed.
[[noreturn]] void become(const ChildSetup& setup) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() == setup.parent && ::dup2(setup.in, STDIN_FILENO) >= 0 &&
      ::dup2(setup.out, STDOUT_FILENO) >= 0 && ::dup2(setup.err, STDERR_FILENO) >= 0) {
    ::execvpe(setup.argv[0], setup.argv, setup.environment);
  }
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(setup.report, &error, sizeof error);
  ::_exit(127);
}

// Field number `index` (from 0) of /proc/<pid>/stat, counted after the parenthesised name.
unsigned long stat_field(const std::string& stat, int index) {
  std::istringstream fields(stat.substr(stat.rfind(')') + 2));
  std::string field;
  for (int i = 0; i <= index; ++i) fields >> field;
  return std::stoul(field);
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = read_file(entry.path() / "stat");
    // Empty if the process ended meanwhile.
    if (!stat.empty() && stat_field(stat, 1) == static_cast<unsigned long>(parent)) {
      children.push_back(std::stoi(name));
    }
  }
  return children;
}

void signal_descendants(pid_t parent, int number) {
  for (const pid_t child : children_of(parent)) {
    ::kill(child, number);
    signal_descendants(child, number);
  }
}

}  // namespace

ChildProcess::ChildProcess(const ChildOptions& options) : name_(options.argv.at(0)) {
  const FileDescriptor in = open_file("/dev/null", O_RDONLY);
  const FileDescriptor out = open_file(options.stdout_file, O_WRONLY | O_CREAT | O_APPEND);
  const FileDescriptor err = open_file(options.stderr_file, O_WRONLY | O_CREAT | O_APPEND);
  const std::vector<char*> argv = pointers_to(options.argv);
  const std::vector<char*> environment =
      options.environment ? pointers_to(*options.environment) : std::vector<char*>{};
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) fail("pipe");
  const FileDescriptor report_read(report[0]);
  FileDescriptor report_write(report[1]);

  const ChildSetup setup{::getpid(),
                         in.get(),
                         out.get(),
                         err.get(),
                         report[1],
                         argv.data(),
                         options.environment ? environment.data() : ::environ};
  pid_ = ::fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) become(setup);
  pidfd_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));

  report_write.reset();
  int error = 0;
  if (::read(report[0], &error, sizeof error) > 0) {
    ::waitpid(pid_, nullptr, 0);
    errno = error;
    fail("cannot run " + name_);
  }
  if (pidfd_.get() < 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    fail("pidfd_open");
  }
}

ChildProcess::~ChildProcess() {
  if (exit_code_) return;
  signal_tree(SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void ChildProcess::signal(int number) {
  if (running()) ::kill(pid_, number);
}

void ChildProcess::signal_tree(int number) {
  if (!running()) return;
  // The parent first, so that it starts no child that is missed.
  ::kill(pid_, number);
  signal_descendants(pid_, number);
}

std::optional<int> ChildProcess::wait_exit_for(std::chrono::milliseconds limit) {
  if (exit_code_) return exit_code_;
  pollfd ended{.fd = pidfd_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&ended, 1, static_cast<int>(limit.count())) <= 0) return std::nullopt;
  int status = 0;
  rusage usage{};
  if (::wait4(pid_, &status, 0, &usage) != pid_) fail("wait4");
  const auto seconds = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  cpu_time_at_exit_ = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

int ChildProcess::wait_exit(std::chrono::milliseconds limit) {
  const std::optional<int> code = wait_exit_for(limit);
  if (code) return *code;
  throw std::runtime_error(name_ + " still runs after " + std::to_string(limit.count()) + " ms");
}

std::chrono::duration<double> ChildProcess::cpu_time() {
  if (!running()) return cpu_time_at_exit_;
  const std::string stat = read_file("/proc/" + std::to_string(pid_) + "/stat");
  const unsigned long ticks = stat_field(stat, 11) + stat_field(stat, 12);
  return std::chrono::duration<double>(static_cast<double>(ticks) /
                                       static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

std::size_t ChildProcess::peak_memory_bytes() {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  std::string key;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
  }
  throw std::runtime_error(name_ + " has ended: its peak memory is no longer known");
}

void run_to_success(const ChildOptions& options, std::chrono::milliseconds limit) {
  const int code = ChildProcess(options).wait_exit(limit);
  if (code == 0) return;
  throw std::runtime_error(options.argv.at(0) + " ended with " + std::to_string(code) +
                           log_tail(options.stderr_file));
}

}  // namespace walpost::test
