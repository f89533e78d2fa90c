#pragma once

#include <span>
#include <string>

#include "debezium_config.h"
#include "findings.h"

namespace walpost {

// What `run` would do over the errors that were found: refuse to start, or start and wait for a
// server that cannot be reached or a topic that cannot be written to.
enum class RunOutlook { kRefuses, kWaits };

// What `walpost check` prints: each finding with its reason and what mends it, and a last line that
// sums up.
[[nodiscard]] std::string findings_text(std::span<const Finding> findings,
                                        RunOutlook outlook = RunOutlook::kRefuses);
// {"ok":false,"findings":[{"severity":"error","what":"…","why":"…","mend":"…"}]}
// With entries of --debezium-config: what debezium_report.h puts, before the last brace.
[[nodiscard]] std::string findings_json(std::span<const Finding> findings,
                                        std::span<const DebeziumEntry> debezium_entries = {});

[[nodiscard]] bool has_errors(std::span<const Finding> findings) noexcept;

}  // namespace walpost
