#include "progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <numeric>

#include "display_text.h"
#include "write_now.h"

namespace walpost {
namespace {

constexpr std::chrono::seconds kInterval{1};
constexpr std::size_t kUnknownWidth = 120;

std::string rate_text(const ProgressSample& before, const ProgressSample& now) {
  const double seconds = std::chrono::duration<double>(now.at - before.at).count();
  if (seconds <= 0) return "0/s";
  const double rate = static_cast<double>(now.events - before.events) / seconds;
  return fmt::format("{}/s", count_text(static_cast<std::uint64_t>(std::llround(rate))));
}

std::string lag_text(const ProgressSample& now) {
  const std::string bytes = now.lag_bytes ? bytes_text(*now.lag_bytes) : "unknown";
  return now.lag_time ? fmt::format("{} {}", bytes, duration_text(*now.lag_time)) : bytes;
}

}  // namespace

ProgressSample sample(const ProcessView& view) {
  const Stats& stats = view.stats;
  ProgressSample result;
  result.at = view.clock.now();
  result.state = stats.state.load(std::memory_order_relaxed);
  result.standby = stats.standby.load(std::memory_order_relaxed);
  result.events = stats.events.load(std::memory_order_relaxed);
  result.in_flight_records = stats.in_flight_records.load(std::memory_order_relaxed);
  result.lag_bytes = value_of(view.slot_gauges.lag_bytes);
  result.lag_time = lag_time(view);
  for (std::size_t i = 0; i < result.commit_to_ack.size(); ++i) {
    result.commit_to_ack[i] = stats.commit_to_ack_buckets[i].load(std::memory_order_relaxed);
  }
  return result;
}

std::optional<std::chrono::microseconds> p99_bound(const ProgressSample& before,
                                                   const ProgressSample& now) {
  const auto sum = [](const ProgressSample& of) {
    return std::accumulate(of.commit_to_ack.begin(), of.commit_to_ack.end(), std::uint64_t{0});
  };
  const std::uint64_t all = sum(now) - sum(before);
  // The smallest count that holds 99 of 100.
  const std::uint64_t wanted = all - all / 100;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; all > 0 && i < kCommitToAckBoundsUs.size(); ++i) {
    seen += now.commit_to_ack[i] - before.commit_to_ack[i];
    if (seen >= wanted) return std::chrono::microseconds(kCommitToAckBoundsUs[i]);
  }
  return std::nullopt;
}

std::string progress_text(const ProgressSample& before, const ProgressSample& now,
                          std::size_t width) {
  std::string text =
      fmt::format("{}  {} events  {}  lag {}  in flight {}",
                  now.standby ? "standby" : to_string(now.state), count_text(now.events),
                  rate_text(before, now), lag_text(now), count_text(now.in_flight_records));
  if (const auto p99 = p99_bound(before, now))
    text += fmt::format("  p99 < {}", duration_text(*p99));
  if (text.size() > width) text.resize(width);
  return text;
}

ProgressLine::ProgressLine(ProgressMode mode, int fd, const ProcessView& view)
    : view_(view),
      fd_(fd),
      is_on_(mode == ProgressMode::kAlways || (mode == ProgressMode::kAuto && ::isatty(fd) == 1)),
      last_(sample(view)),
      due_(last_.at + kInterval) {}

ProgressLine::~ProgressLine() {
  if (is_drawn_) write("\n");
}

std::optional<TimePoint> ProgressLine::due() const noexcept {
  return is_on_ ? std::optional(due_) : std::nullopt;
}

void ProgressLine::draw_if_due() {
  if (!is_on_ || view_.clock.now() < due_) return;
  const ProgressSample now = sample(view_);
  // The last column is left free: a terminal may wrap after it.
  write(fmt::format("\r\x1b[K{}", progress_text(last_, now, width() - 1)));
  is_drawn_ = true;
  last_ = now;
  due_ = now.at + kInterval;
}

void ProgressLine::write(const std::string& text) const {
  // A line that the terminal does not take is drawn anew in a second.
  static_cast<void>(write_now(fd_, text));
}

std::size_t ProgressLine::width() const {
  winsize size{};
  const bool known = ::ioctl(fd_, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : kUnknownWidth;
}

}  // namespace walpost
