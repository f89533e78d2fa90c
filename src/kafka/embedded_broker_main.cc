// A Kafka cluster for the quick start and for tests: librdkafka's mock, in a process of its own.
// Prints "bootstrap=HOST:PORT,…" and runs until SIGTERM, SIGINT, or the end of its parent.

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "embedded_broker.h"
#include "walpost/error.h"

namespace walpost {
namespace {

constexpr const char* kUsage =
    "usage: walpost_embedded_broker [--brokers N] [--partitions N] [--topic "
    "NAME[:PARTITIONS]]...\n";

struct Arguments {
  EmbeddedBrokerOptions broker;
  int partition_count = 4;  // as the mock cluster gives to a topic that nobody created
  std::vector<std::string> topics;
};

int number(const std::string& option, const std::string& value) {
  try {
    std::size_t end = 0;
    const int parsed = std::stoi(value, &end);
    if (end == value.size() && parsed > 0) {
      return parsed;
    }
  } catch (const std::exception&) {
    // Said below, as for a number that is out of range.
  }
  throw Error(ExitCode::kUsage, fmt::format("{}: {}: is not a positive number", option, value));
}

Arguments parse(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& option = words[i];
    const std::string& value = words[i + 1];
    if (option == "--brokers") {
      arguments.broker.broker_count = number(option, value);
    } else if (option == "--partitions") {
      arguments.partition_count = number(option, value);
    } else if (option == "--topic") {
      arguments.topics.push_back(value);
    } else {
      throw Error(ExitCode::kUsage, fmt::format("{}: unknown option", option), kUsage);
    }
  }
  if (words.size() % 2 != 0) {
    throw Error(ExitCode::kUsage, fmt::format("{}: needs a value", words.back()), kUsage);
  }
  return arguments;
}

// Whoever holds the other end of a pipe on our stdin ends us by closing it.
bool is_held_by_stdin() {
  struct stat info {};
  return fstat(STDIN_FILENO, &info) == 0 && S_ISFIFO(info.st_mode);
}

void run(const std::vector<std::string>& words) {
  const Arguments arguments = parse(words);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, nullptr);  // before librdkafka's threads, which inherit it
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  EmbeddedBroker broker(arguments.broker);
  for (const std::string& topic : arguments.topics) {
    const std::size_t colon = topic.find(':');
    broker.create_topic(topic.substr(0, colon), colon == std::string::npos
                                                    ? arguments.partition_count
                                                    : number("--topic", topic.substr(colon + 1)));
  }
  fmt::print("bootstrap={}\n", broker.bootstrap_servers());
  std::fflush(stdout);
  pollfd waited[] = {{.fd = signalfd(-1, &signals, SFD_CLOEXEC), .events = POLLIN, .revents = 0},
                     {.fd = is_held_by_stdin() ? STDIN_FILENO : -1, .events = 0, .revents = 0}};
  poll(waited, std::size(waited), -1);
}

}  // namespace
}  // namespace walpost

int main(int argc, char** argv) {
  try {
    walpost::run(std::vector<std::string>(argv + 1, argv + argc));
    return 0;
  } catch (const walpost::Error& error) {
    fmt::print(stderr, "walpost_embedded_broker: {}\n{}", error.what(), error.hint());
    return static_cast<int>(error.exit_code());
  }
}
