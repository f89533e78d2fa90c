#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "walpost/log.h"

namespace walpost {

// The newest warnings and errors of the log, for /status: what an operator asks first. Safe for
// every thread; its lock is taken for such lines only, never for an event.
class RecentErrors final {
 public:
  struct Entry {
    std::chrono::system_clock::time_point time;
    LogLevel level = LogLevel::kWarn;
    std::string text;  // "message key=value"
  };
  // Enough to see a cause and its consequences.
  static constexpr std::size_t kKept = 5;

  // A Log that also notes what goes to `log`. This must outlive it.
  [[nodiscard]] Log noting(Log log);

  // Newest first.
  [[nodiscard]] std::vector<Entry> entries() const;

 private:
  void note(Entry entry);

  mutable std::mutex mutex_;
  std::deque<Entry> entries_;  // newest first
};

}  // namespace walpost
