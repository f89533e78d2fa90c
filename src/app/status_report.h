#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "process_status.h"
#include "server_state.h"
#include "slot_status.h"

namespace walpost {

// As monitors expect it; the exit code of `walpost status`.
enum class Verdict : int { kOk = 0, kWarning = 1, kCritical = 2, kUnknown = 3 };

[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;

// What `walpost status` knows at one moment.
struct StatusReport {
  std::string slot;
  std::string publication;
  std::string database;
  std::string server_version;
  SlotStatus slot_status;
  // Of the process that serves this very slot; nullopt: none is known, and `process_note` says why.
  std::optional<ProcessStatus> process;
  std::string process_note;
  Verdict verdict = Verdict::kUnknown;
  std::vector<std::string> reasons;  // for a verdict other than kOk, worst first
};

// Whether `process` streams the slot that `server` has: a walpost at the default address may well
// serve another database.
[[nodiscard]] bool serves_slot(const ProcessStatus& process, const ServerState& server,
                               const std::string& slot);

// Fills in verdict and reasons.
void judge(StatusReport& report, const Options& options);

[[nodiscard]] std::string status_text(const StatusReport& report);
[[nodiscard]] std::string status_json(const StatusReport& report);

}  // namespace walpost
