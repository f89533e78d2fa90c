#include "walpost_process.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <regex>
#include <stdexcept>
#include <string_view>

#include "scratch.h"

namespace walpost::test {
namespace {

std::string binary() {
  const char* given = std::getenv("WALPOST_BINARY");
  return given != nullptr ? given : WALPOST_BUILT_BINARY;
}

std::vector<std::string> environment_with(const std::vector<std::string>& additions) {
  std::vector<std::string> result = additions;
  for (char** entry = ::environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (!variable.starts_with("PG") && !variable.starts_with("WALPOST_")) {
      result.emplace_back(variable);
    }
  }
  return result;
}

ChildOptions child_options(std::vector<std::string> arguments, const WalpostOptions& options) {
  arguments.insert(arguments.begin(), binary());
  return {.argv = std::move(arguments), .environment = environment_with(options.environment)};
}

ChildOptions with_output(ChildOptions options, const std::filesystem::path& out,
                         const std::filesystem::path& err) {
  options.stdout_file = out;
  options.stderr_file = err;
  return options;
}

// The first complete line of `text` that `matches`.
std::optional<std::string> find_line(const std::string& text,
                                     const std::function<bool(const std::string&)>& matches) {
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    std::string line = text.substr(begin, end - begin);
    if (matches(line)) return line;
  }
  return std::nullopt;
}

std::string wait_for_line(WalpostProcess& process, const std::string& wanted,
                          std::chrono::milliseconds limit, std::size_t from,
                          const std::function<bool(const std::string&)>& matches) {
  std::optional<std::string> line;
  const auto search = [&] {
    const std::string text = process.stderr_text();
    line = from < text.size() ? find_line(text.substr(from), matches) : std::nullopt;
    return line.has_value();
  };
  try {
    poll_until("log line: " + wanted, limit, [&] {
      const bool running = process.child().running();
      if (search()) return true;
      if (!running) throw std::runtime_error("walpost ended without the log line: " + wanted);
      return false;
    });
  } catch (const std::exception& error) {
    throw std::runtime_error(error.what() + log_tail(process.stderr_file()));
  }
  return *line;
}

}  // namespace

WalpostProcess::WalpostProcess(const std::vector<std::string>& arguments,
                               const WalpostOptions& options)
    : stderr_file_(new_log_file("walpost")),
      stdout_file_(options.stdout_file ? *options.stdout_file : new_log_file("walpost-stdout")),
      child_(with_output(child_options(arguments, options), stdout_file_, stderr_file_)) {}

std::string WalpostProcess::wait_for_log(const std::string& text, std::chrono::milliseconds limit,
                                         std::size_t from) {
  return wait_for_line(*this, text, limit, from, [&](const std::string& line) {
    return line.find(text) != std::string::npos;
  });
}

std::string WalpostProcess::wait_for_log_matching(const std::string& pattern,
                                                  std::chrono::milliseconds limit,
                                                  std::size_t from) {
  const std::regex regex(pattern);
  return wait_for_line(*this, pattern, limit, from,
                       [&](const std::string& line) { return std::regex_search(line, regex); });
}

int WalpostProcess::wait_exit(std::chrono::milliseconds limit) {
  const std::optional<int> code = child_.wait_exit_for(limit);
  if (code) return *code;
  throw std::runtime_error("walpost still runs" + log_tail(stderr_file_));
}

int WalpostProcess::terminate(std::chrono::milliseconds limit) {
  child_.signal(SIGTERM);
  return wait_exit(limit);
}

void WalpostProcess::kill() {
  child_.signal(SIGKILL);
  wait_exit();
}

std::string WalpostProcess::stdout_text() const { return read_file(stdout_file_); }

std::string WalpostProcess::stderr_text() const { return read_file(stderr_file_); }

WalpostResult run_walpost(const std::vector<std::string>& arguments, const WalpostOptions& options,
                          std::chrono::milliseconds limit) {
  WalpostProcess process(arguments, options);
  const int exit_code = process.wait_exit(limit);
  return {exit_code, process.stdout_text(), process.stderr_text()};
}

}  // namespace walpost::test
