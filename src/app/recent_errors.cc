#include "recent_errors.h"

#include <fmt/format.h>

#include <utility>

namespace walpost {

Log RecentErrors::noting(Log log) {
  return [this, log = std::move(log)](LogLevel level, std::string_view message,
                                      std::initializer_list<LogField> fields) {
    log(level, message, fields);
    if (level != LogLevel::kWarn && level != LogLevel::kError) return;
    std::string text(message);
    for (const LogField& field : fields) text += fmt::format(" {}={}", field.key, field.value);
    note({std::chrono::system_clock::now(), level, std::move(text)});
  };
}

void RecentErrors::note(Entry entry) {
  const std::lock_guard lock(mutex_);
  entries_.push_front(std::move(entry));
  if (entries_.size() > kKept) entries_.pop_back();
}

std::vector<RecentErrors::Entry> RecentErrors::entries() const {
  const std::lock_guard lock(mutex_);
  return {entries_.begin(), entries_.end()};
}

}  // namespace walpost
