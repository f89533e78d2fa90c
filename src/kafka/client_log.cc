#include "client_log.h"

#include <syslog.h>

#include <chrono>
#include <string>

namespace walpost {
namespace {

constexpr std::chrono::seconds kInterval{30};

// What librdkafka says of connections comes as an error event too, and what follows from it is
// told once, by "waiting for broker".
bool is_told_elsewhere(std::string_view facility) {
  return facility == "FAIL" || facility == "ERROR" || facility == "FATAL";
}

LogLevel our_level(int level, std::string_view facility) {
  if (is_told_elsewhere(facility) || level >= LOG_DEBUG) {
    return LogLevel::kDebug;
  }
  // Its errors are ours to mend: only what ends in an Error needs the operator.
  return level <= LOG_WARNING ? LogLevel::kWarn : LogLevel::kInfo;
}

}  // namespace

void ClientLog::line(int level, std::string_view facility, std::string_view text) {
  if (text.find("enable.gapless.guarantee is experimental") != std::string_view::npos) {
    return;  // ours to know, at every start of a client
  }
  const LogLevel ours = our_level(level, facility);
  if (ours == LogLevel::kDebug) {
    log_(ours, "librdkafka", {{"facility", std::string(facility)}, {"text", std::string(text)}});
    return;
  }
  auto found = seen_.find(facility);
  if (found == seen_.end()) {
    found = seen_.emplace(facility, Seen{}).first;
  }
  Seen& seen = found->second;
  const TimePoint now = clock_.now();
  if (now < seen.next_at) {
    ++seen.suppressed_count;
    return;
  }
  log_(ours, "librdkafka",
       {{"facility", std::string(facility)},
        {"text", std::string(text)},
        {"suppressed", std::to_string(seen.suppressed_count)}});
  seen = {.next_at = now + kInterval, .suppressed_count = 0};
}

}  // namespace walpost
