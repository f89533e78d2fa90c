// How a Pipeline ends: what was received before is acknowledged, confirmed, and CopyDone exchanged.

#include <algorithm>

#include "walpost/pipeline.h"

namespace walpost {
namespace {

// How long the server may take to answer our CopyDone when there is no other deadline.
constexpr std::chrono::milliseconds kCopyDoneTimeout{3'000};

}  // namespace

void Pipeline::stop() {
  if (stop_ && stop_->reason != Stop::Reason::kEndPosition) return;
  parts_.log(LogLevel::kInfo, "stopping: no new transaction is begun",
             {{"slot", options_.slot}, {"in_flight", std::to_string(in_flight_records_)}});
  // An end position that was reached stays reached, but it waits no longer than asked.
  if (!stop_) stop_ = Stop{};
  stop_->reason = Stop::Reason::kAsked;
  stop_->deadline = parts_.clock.now() + options_.drain_timeout;
}

// What was received before the failure still is delivered and confirmed, within kSettleTimeout. Not
// for errors of the source: its connection cannot confirm anything any more.
void Pipeline::fail(const Error& error) {
  if (stop_ && stop_->reason == Stop::Reason::kFailure) return;  // the first one counts
  pending_.reset();
  unrouted_.reset();
  if (state_ != State::kStreaming) throw error;
  if (!stop_) stop_ = Stop{};
  stop_->reason = Stop::Reason::kFailure;
  const auto settled_at = now_ + kSettleTimeout;
  stop_->deadline = std::min(stop_->deadline.value_or(settled_at), settled_at);
  stop_->failure = error;
}

bool Pipeline::is_stop_late() const { return stop_ && stop_->deadline && now_ >= *stop_->deadline; }

// kOk promises that nothing of what was ever sent will be sent again, transactions included that a
// lost connection or a lost client of the sink cut off.
ExitCode Pipeline::exit_code_now() const {
  const bool comes_again = newest_sent_.is_valid() && tracker_.flush_lsn() <= newest_sent_;
  return comes_again ? ExitCode::kDrainDeadline : ExitCode::kOk;
}

bool Pipeline::is_drained() const {
  if (in_flight_records_ > 0 || pending_) return false;
  return stop_->reason == Stop::Reason::kFailure || !tracker_.is_open();
}

void Pipeline::step_stopping() {
  if (state_ != State::kStreaming) return;
  if (stop_->copy_done_deadline) {
    const bool finished = parts_.source.poll_finished();
    if (!finished && now_ < *stop_->copy_done_deadline) return;
    if (stop_->failure) return end_with_failure();
    // Only its answer shows that the server took the last position.
    return end(finished && stop_->drained ? exit_code_now() : ExitCode::kDrainDeadline);
  }
  stop_->drained = is_drained();
  if (!stop_->drained && !is_stop_late()) return;
  report_status(false);
  parts_.source.send_copy_done();
  stop_->copy_done_deadline = now_ + kCopyDoneTimeout;
  if (stop_->reason != Stop::Reason::kFailure && !is_stop_late()) {
    // It answers after the transaction that it is sending, which may be a large one.
    stop_->copy_done_deadline = std::max(*stop_->copy_done_deadline,
                                         stop_->deadline.value_or(now_ + options_.drain_timeout));
  }
  more_ = true;
}

void Pipeline::end(ExitCode code) {
  if (code == ExitCode::kDrainDeadline) {
    parts_.log(LogLevel::kWarn, "stopped before everything was acknowledged; it will come again",
               {{"slot", options_.slot},
                {"lsn", tracker_.flush_lsn().to_string()},
                {"in_flight", std::to_string(in_flight_records_)}});
  } else {
    parts_.log(LogLevel::kInfo, "stopped; everything received is acknowledged and confirmed",
               {{"slot", options_.slot}, {"lsn", tracker_.flush_lsn().to_string()}});
  }
  parts_.source.close();
  exit_code_ = code;
}

void Pipeline::end_with_failure() {
  parts_.source.close();
  final_error_ = stop_->failure;
}

}  // namespace walpost
