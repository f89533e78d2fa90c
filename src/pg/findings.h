#pragma once

#include <string>
#include <vector>

#include "server_state.h"
#include "walpost/error.h"

namespace walpost {

enum class Severity { kError, kWarning, kInfo };

// One thing about the server that the operator should know.
struct Finding {
  Severity severity = Severity::kInfo;
  std::string what;  // the fact: name, current value, needed value
  std::string why;   // what it means for the data
  std::string mend;  // exact SQL or commands, one per line; empty: nothing to do
};

// Everything about PostgreSQL that `run` refuses (errors, most fundamental first), and what is
// worth a warning or a word. Pure.
[[nodiscard]] std::vector<Finding> examine(const ServerState& state, const Wanted& wanted);

// The Error with which `run` ends: ExitCode::kPostgresSetup, not retryable.
[[nodiscard]] Error to_error(const Finding& finding);

}  // namespace walpost
