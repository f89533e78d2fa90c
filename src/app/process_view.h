#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recent_errors.h"
#include "slot_gauges.h"
#include "walpost/clock.h"
#include "walpost/stats.h"

namespace walpost {

// What a running walpost shows of itself, to whoever asks over HTTP. Reads atomics (and the recent
// errors) only; everything referred to must outlive it.
struct ProcessView {
  const Stats& stats;
  const SlotGauges& slot_gauges;
  const RecentErrors& recent_errors;
  const Clock& clock;
  std::string slot;
  std::string publication;
  std::string database;
  std::optional<std::uint64_t> max_slot_lag_bytes;  // --max-slot-lag
};

[[nodiscard]] std::string_view to_string(PipelineState state) noexcept;

// How old the oldest commit is that was received and is not acknowledged; 0 when there is none and
// all that the server had half a second ago was received. nullopt otherwise, and while nothing is
// streamed: what waits on the server is then unknown.
[[nodiscard]] std::optional<std::chrono::microseconds> lag_time(const ProcessView& view);

// Why the loop does not turn, for /healthz; empty: it does.
[[nodiscard]] std::vector<std::string> health_problems(const ProcessView& view);
// Why there is no progress, for /readyz; empty: there is, or this process stands by while another
// one holds the slot.
[[nodiscard]] std::vector<std::string> readiness_problems(const ProcessView& view);

// The JSON of /status.
[[nodiscard]] std::string status_json(const ProcessView& view);
// The text of /metrics, in Prometheus' exposition format.
[[nodiscard]] std::string metrics_text(const ProcessView& view);
// The page of /.
[[nodiscard]] std::string index_page(const ProcessView& view);

}  // namespace walpost
