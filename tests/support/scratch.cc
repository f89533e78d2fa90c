#include "scratch.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace walpost::test {
namespace {

std::filesystem::path log_directory_of_this_suite() {
  const auto* suite = ::testing::UnitTest::GetInstance()->current_test_suite();
  std::string name = suite == nullptr ? "no-suite" : suite->name();
  std::ranges::replace(name, '/', '.');  // as in AllMajors/PostgresSupport
  return std::filesystem::path(WALPOST_SOURCE_DIR) / "build/test-logs" / name;
}

class LogDirectory final {
 public:
  LogDirectory() : path_(log_directory_of_this_suite()) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  LogDirectory(const LogDirectory&) = delete;
  LogDirectory& operator=(const LogDirectory&) = delete;
  ~LogDirectory() {
    if (::testing::UnitTest::GetInstance()->Failed()) {
      std::cout << "logs of the servers and of walpost: " << path_.string() << std::endl;
    } else {
      std::error_code ignored;
      std::filesystem::remove_all(path_, ignored);
    }
  }

  std::filesystem::path new_file(const std::string& name) {
    return path_ / (name + "-" + std::to_string(++count_) + ".log");
  }

 private:
  std::filesystem::path path_;
  int count_ = 0;
};

}  // namespace

ScratchDirectory::ScratchDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "walpost-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
  path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path new_log_file(const std::string& name) {
  // One per process, and ended with it: only then is it known whether all tests passed.
  static LogDirectory directory;
  return directory.new_file(name);
}

std::filesystem::path servers_directory() {
  if (const char* given = std::getenv("WALPOST_SERVERS"); given != nullptr) return given;
  return std::filesystem::path(WALPOST_SOURCE_DIR) / "build/servers";
}

std::string read_file(const std::filesystem::path& file) {
  // A device such as /dev/full would never end.
  if (!std::filesystem::is_regular_file(file)) return {};
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string log_tail(const std::filesystem::path& file) {
  constexpr std::size_t kTailBytes = 4000;
  const std::string text = read_file(file);
  const std::string tail = text.size() > kTailBytes ? text.substr(text.size() - kTailBytes) : text;
  return "\n--- end of " + file.string() + ":\n" + tail;
}

}  // namespace walpost::test
