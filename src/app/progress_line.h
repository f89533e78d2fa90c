#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "options.h"
#include "process_view.h"
#include "walpost/clock.h"

namespace walpost {

// What the live line is made of, read from a ProcessView at one moment.
struct ProgressSample {
  TimePoint at;
  PipelineState state = PipelineState::kConnecting;
  bool standby = false;
  std::uint64_t events = 0;
  std::uint64_t in_flight_records = 0;
  std::optional<std::int64_t> lag_bytes;
  std::optional<std::chrono::microseconds> lag_time;
  std::array<std::uint64_t, kCommitToAckBoundsUs.size() + 1> commit_to_ack{};  // per bucket
};

[[nodiscard]] ProgressSample sample(const ProcessView& view);

// "streaming  1,204,551 events  98,310/s  lag 1.2 MiB 0.3s  in flight 8,192  p99 < 25ms", rate and
// p99 of the time between the samples, cut to `width`.
[[nodiscard]] std::string progress_text(const ProgressSample& before, const ProgressSample& now,
                                        std::size_t width);

// Upper bound of the bucket that the 99th percentile of the new observations is in; nullopt: there
// are none, or it is above the last bound.
[[nodiscard]] std::optional<std::chrono::microseconds> p99_bound(const ProgressSample& before,
                                                                 const ProgressSample& now);

// One line at the bottom of a terminal, drawn anew every second. One thread.
class ProgressLine final {
 public:
  // Off unless `mode` is kAlways, or kAuto and `fd` a terminal.
  ProgressLine(ProgressMode mode, int fd, const ProcessView& view);
  // Leaves the last line standing.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // When draw_if_due() is to be called; nullopt: never.
  [[nodiscard]] std::optional<TimePoint> due() const noexcept;
  void draw_if_due();

 private:
  void write(const std::string& text) const;
  [[nodiscard]] std::size_t width() const;

  const ProcessView& view_;
  int fd_;
  bool is_on_;
  bool is_drawn_ = false;
  ProgressSample last_;
  TimePoint due_;
};

}  // namespace walpost
