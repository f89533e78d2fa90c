#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace walpost {

// INFO: the state changed. WARN: something went wrong and was mended, or will be. ERROR: the
// operator is needed.
enum class LogLevel { kDebug, kInfo, kWarn, kError };

// One key of a log line. Keys are fixed words: slot, lsn, topic, partition, attempt, error, hint…
// Never a payload, a key of a record, a password or a conninfo.
struct LogField {
  std::string_view key;
  std::string value;
};

// Where log lines go: one line per fact. Safe to call from every thread.
using Log = std::function<void(LogLevel level, std::string_view message,
                               std::initializer_list<LogField> fields)>;

}  // namespace walpost
