#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options.h"

namespace walpost {

// What a running walpost says of itself at /status (process_view.h writes it).
struct ProcessStatus {
  std::string version;
  std::string slot;
  std::string database;
  std::string system_identifier;  // empty: it does not know yet
  std::string state;
  bool standby = false;
  bool ready = false;
  bool sink_reachable = false;
  std::optional<double> lag_seconds;
  std::uint64_t in_flight_records = 0;
  std::uint64_t in_flight_bytes = 0;
  std::uint64_t events = 0;
  std::uint64_t reconnects = 0;
  struct LastError {
    std::string time;
    std::string level;
    std::string text;
  };
  std::vector<LastError> last_errors;  // newest first
};

// nullopt: not what walpost's /status says.
[[nodiscard]] std::optional<ProcessStatus> parse_process_status(const std::string& json);

// Asks whoever listens there, for a second at most each for connection and answer. nullopt: nobody
// answers, or something that is no walpost.
[[nodiscard]] std::optional<ProcessStatus> fetch_process_status(const HttpAddress& address);

}  // namespace walpost
