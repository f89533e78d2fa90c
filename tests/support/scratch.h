#pragma once

#include <filesystem>
#include <string>

namespace walpost::test {

// A directory of its own under the system's temporary directory, removed with everything in it
// by the destructor. Its path is short enough for a unix socket.
class ScratchDirectory final {
 public:
  ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A new file name for the log of a child process, "<name>-<number>.log", in
// build/test-logs/<test suite>. When the program ends the directory is removed if every test
// passed; otherwise, or if the program is killed, it stays, and its place is printed.
[[nodiscard]] std::filesystem::path new_log_file(const std::string& name);

// Where scripts/lib/servers puts the servers: $WALPOST_SERVERS, else build/servers of the source
// tree.
[[nodiscard]] std::filesystem::path servers_directory();

// The text of a regular file, or an empty string if there is none.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

// The last lines of a log, for the message of a failure.
[[nodiscard]] std::string log_tail(const std::filesystem::path& file);

}  // namespace walpost::test
