#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "walpost/clock.h"
#include "walpost/log.h"

namespace walpost {

// librdkafka's own log lines on their way into ours: each kind at most once per interval, since a
// broker that is down makes several a second.
class ClientLog final {
 public:
  // `log` and `clock` must outlive it.
  ClientLog(const Log& log, const Clock& clock) : log_(log), clock_(clock) {}

  // `level` is syslog's; `facility` is librdkafka's word for the kind.
  void line(int level, std::string_view facility, std::string_view text);

 private:
  struct Seen {
    TimePoint next_at;
    std::uint64_t suppressed_count = 0;
  };

  const Log& log_;
  const Clock& clock_;
  std::map<std::string, Seen, std::less<>> seen_;  // librdkafka has some tens of facilities
};

}  // namespace walpost
