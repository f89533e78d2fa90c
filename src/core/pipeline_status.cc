// What a Pipeline tells: its position to the server, its numbers to whoever watches.

#include <algorithm>

#include "walpost/pipeline.h"

namespace walpost {
namespace {

// A new flush position is told this soon: the sum of what is lost to it and what it costs (34 bytes
// and a wake-up of the walsender each time) is small, and repeats after a SIGKILL stay few.
constexpr std::chrono::milliseconds kFlushReportDelay{50};

}  // namespace

void Pipeline::note_flush_advance() {
  if (!flush_advanced_at_ && tracker_.flush_lsn() > reported_flush_) flush_advanced_at_ = now_;
}

TimePoint Pipeline::status_due() const {
  TimePoint due = last_status_ + status_interval_;
  if (flush_advanced_at_) due = std::min(due, *flush_advanced_at_ + kFlushReportDelay);
  return due;
}

void Pipeline::report_status_if_due() {
  if (state_ == State::kStreaming && now_ >= status_due()) report_status(false);
}

void Pipeline::report_status(bool reply_requested) {
  parts_.source.send_status({.write_lsn = std::max(tracker_.received_lsn(), tracker_.flush_lsn()),
                             .flush_lsn = tracker_.flush_lsn(),
                             .apply_lsn = tracker_.flush_lsn(),
                             .client_time = wall_now_,
                             .reply_requested = reply_requested});
  reported_flush_ = std::max(reported_flush_, tracker_.flush_lsn());
  flush_advanced_at_.reset();
  last_status_ = now_;
}

void Pipeline::publish_stats() {
  Stats& stats = parts_.stats;
  PipelineState state = PipelineState::kStopped;
  switch (state_) {
    case State::kConnecting:
      state = PipelineState::kConnecting;
      break;
    case State::kSettling:
      state = PipelineState::kSettling;
      break;
    case State::kStreaming:
      state = PipelineState::kStreaming;
      break;
  }
  if (stop_) state = PipelineState::kDraining;
  if (exit_code_) state = PipelineState::kStopped;
  constexpr auto kRelaxed = std::memory_order_relaxed;
  stats.state.store(state, kRelaxed);
  stats.heartbeat_ns.store(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now_.time_since_epoch()).count(),
      kRelaxed);
  stats.sink_reachable.store(!is_sink_lost_ && parts_.sink.is_reachable(), kRelaxed);
  stats.in_flight_records.store(in_flight_records_, kRelaxed);
  stats.in_flight_bytes.store(in_flight_bytes_, kRelaxed);
  stats.received_lsn.store(tracker_.received_lsn().value(), kRelaxed);
  stats.flush_lsn.store(tracker_.flush_lsn().value(), kRelaxed);
  const auto oldest = tracker_.oldest_commit_time();
  stats.oldest_unacked_commit_time.store(oldest ? oldest->value() : 0, kRelaxed);
}

}  // namespace walpost
