#include "walpost/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "walpost/check.h"

namespace walpost {
namespace {

using std::chrono::milliseconds;

// Frames taken in one step before reports, signals and status are looked at again: about a
// millisecond of work at full speed.
constexpr int kFramesPerStep = 512;

// The longest wait without looking around, a guard against a lost wake-up.
constexpr milliseconds kGuardWait{1'000};

// Without wal_sender_timeout (0) a silent server is given up after this.
constexpr milliseconds kDefaultSilenceLimit{60'000};

}  // namespace

Pipeline::Pipeline(PipelineOptions options, Parts parts)
    : options_(std::move(options)),
      parts_(parts),
      backoff_(options_.backoff_seed),
      sink_backoff_(options_.backoff_seed + 1),
      tracker_(Ticket{1}, Lsn()),
      now_(parts_.clock.now()),
      attempt_at_(now_) {
  CHECK(options_.max_in_flight_records > 0 && options_.max_in_flight_bytes > 0);
}

void Pipeline::step() {
  now_ = parts_.clock.now();
  wall_now_ = parts_.clock.wall_now();
  more_ = false;
  try {
    take_reports();
    advance();
  } catch (const Error& error) {
    if (stop_ && stop_->reason == Stop::Reason::kFailure) {
      end_with_failure();  // the connection cannot take the last status either
    } else if (error.is_retryable()) {
      lose_connection(error);
    } else {
      throw;
    }
  }
  publish_stats();
  if (final_error_) throw Error(*final_error_);
}

// ---------------------------------------------------------------------------------------------
// Delivery reports

void Pipeline::take_reports() {
  if (is_sink_lost_) return;
  std::optional<Error> error;
  try {
    parts_.sink.drain_reports(reports_);
  } catch (const Error& thrown) {
    error = thrown;  // the reports that came before it are good, and may let the position advance
  }
  for (DeliveryReport& report : reports_) on_report(report);
  reports_.clear();
  note_flush_advance();
  if (error && error->is_retryable()) {
    on_sink_lost(*error);
  } else if (error) {
    is_sink_lost_ = true;
    in_flight_records_ = 0;
    in_flight_bytes_ = 0;
    fail(*error);
  }
}

void Pipeline::on_report(DeliveryReport& report) {
  CHECK(in_flight_records_ > 0 && in_flight_bytes_ >= report.bytes);
  --in_flight_records_;
  in_flight_bytes_ -= report.bytes;
  if (report.refusal) {
    bump(parts_.stats.errors[static_cast<std::size_t>(ErrorKind::kRefused)]);
    fail(*report.refusal);
    return;
  }
  sink_backoff_.reset();
  bump(parts_.stats.events);
  bump(parts_.stats.event_bytes, report.bytes);
  if (const auto commit_time = tracker_.commit_time(report.ticket)) {
    const auto latency_us = std::max<std::int64_t>(0, wall_now_.value() - commit_time->value());
    const auto us = static_cast<std::uint64_t>(latency_us);
    const auto bucket =
        std::lower_bound(kCommitToAckBoundsUs.begin(), kCommitToAckBoundsUs.end(), us) -
        kCommitToAckBoundsUs.begin();
    bump(parts_.stats.commit_to_ack_buckets[static_cast<std::size_t>(bucket)]);
    bump(parts_.stats.commit_to_ack_sum_us, us);
  }
  tracker_.acked(report.ticket);
}

// The fate of everything in flight is unknown: all that is not confirmed comes again.
void Pipeline::on_sink_lost(const Error& error) {
  bump(parts_.stats.errors[static_cast<std::size_t>(ErrorKind::kSinkLost)]);
  parts_.log(LogLevel::kWarn, "the sink's client was lost; everything unconfirmed is sent again",
             {{"error", error.what()},
              {"hint", error.hint()},
              {"in_flight", std::to_string(in_flight_records_)}});
  is_sink_lost_ = true;
  sink_restart_at_ = now_ + sink_backoff_.next();
  in_flight_records_ = 0;
  in_flight_bytes_ = 0;
  pending_.reset();
  unrouted_.reset();
  // Nothing is read any more, so nothing can be sent again by this process.
  if (stop_ && (stop_->reason == Stop::Reason::kFailure || stop_->copy_done_deadline)) return;
  try {
    if (state_ == State::kStreaming) report_status(false);
  } catch (const Error&) {
    // The connection is about to be dropped in any case; our own position survives it.
  }
  connect_later();
}

// ---------------------------------------------------------------------------------------------
// The states

void Pipeline::advance() {
  switch (state_) {
    case State::kConnecting:
      return step_connecting();
    case State::kStreaming:
      return step_streaming();
    case State::kSettling:
      return step_settling();
  }
}

void Pipeline::step_connecting() {
  if (stop_) {
    const bool nothing_to_confirm =
        in_flight_records_ == 0 && tracker_.flush_lsn() <= reported_flush_;
    if (nothing_to_confirm) return end(exit_code_now());
    if (is_stop_late()) return end(ExitCode::kDrainDeadline);
  }
  if (is_sink_lost_) {
    if (now_ < sink_restart_at_) return;
    parts_.sink.restart();
    is_sink_lost_ = false;
  }
  if (!unconnected_since_) unconnected_since_ = now_;
  if (!attempt_running_) {
    if (now_ < attempt_at_) return;
    attempt_running_ = true;
    start_sent_ = false;
    parts_.source.connect();
  }
  if (!start_sent_) {
    const auto identity = parts_.source.poll_connected();
    if (!identity) return;
    attempt_identity_ = *identity;
    attempt_start_ = start_position(*identity);
    parts_.source.start_replication(attempt_start_);
    start_sent_ = true;
  }
  if (parts_.source.poll_streaming()) on_streaming();
}

void Pipeline::on_streaming() {
  if (identity_) bump(parts_.stats.reconnects);
  identity_ = attempt_identity_;
  tracker_ =
      FlushTracker(tracker_.next_ticket(),
                   attempt_start_.is_valid() ? attempt_start_ : identity_->confirmed_flush_lsn);
  reported_flush_ = identity_->confirmed_flush_lsn;
  parts_.decoder.reset();
  if (options_.end_position && !end_position_) {
    end_position_ = options_.end_position->lsn.value_or(identity_->flush_lsn);
  }
  const bool has_timeout = identity_->wal_sender_timeout > milliseconds(0);
  silence_limit_ = has_timeout ? identity_->wal_sender_timeout : kDefaultSilenceLimit;
  status_interval_ = has_timeout
                         ? std::min(options_.status_interval, identity_->wal_sender_timeout / 3)
                         : options_.status_interval;
  unconnected_since_.reset();
  attempt_running_ = false;
  state_ = State::kStreaming;
  last_received_ = now_;
  more_ = true;
  parts_.stats.standby = false;
  parts_.log(LogLevel::kInfo, "streaming",
             {{"slot", options_.slot},
              {"lsn", tracker_.flush_lsn().to_string()},
              {"timeline", std::to_string(identity_->timeline)},
              {"system_identifier", identity_->system_identifier}});
  // The answer tells how far the server is, so that an idle one ends --endpos at once.
  report_status(true);
}

// Our own flush position is used where it certainly means the same on this server: then nothing
// that was acknowledged is sent twice. Otherwise the stream starts where the slot stands.
Lsn Pipeline::start_position(const ServerIdentity& identity) {
  if (!identity_) return Lsn();
  if (identity.system_identifier != identity_->system_identifier) {
    throw Error(ExitCode::kPostgresSetup,
                fmt::format("this is another database cluster: its system identifier is {}, that "
                            "of the one before {}; what was committed there and not confirmed "
                            "({} on) is unknown here",
                            identity.system_identifier, identity_->system_identifier,
                            tracker_.flush_lsn().to_string()),
                "check --dbname and where its host names lead; to go on with the new cluster on "
                "purpose, start walpost again");
  }
  if (identity.timeline != identity_->timeline) {
    parts_.log(LogLevel::kWarn,
               "the server is on a new timeline; events since the slot's position may come again",
               {{"slot", options_.slot},
                {"timeline", std::to_string(identity.timeline)},
                {"lsn", identity.confirmed_flush_lsn.to_string()}});
    return Lsn();
  }
  if (tracker_.flush_lsn() > identity.flush_lsn) {
    parts_.log(LogLevel::kWarn,
               "the server's log ends before the position that was confirmed; the stream starts "
               "where the slot stands",
               {{"slot", options_.slot}, {"lsn", identity.confirmed_flush_lsn.to_string()}});
    return Lsn();
  }
  if (identity.confirmed_flush_lsn > tracker_.flush_lsn()) {
    parts_.log(LogLevel::kWarn,
               "the slot was advanced by another process; the stream starts where the slot stands",
               {{"slot", options_.slot}, {"lsn", identity.confirmed_flush_lsn.to_string()}});
    return Lsn();
  }
  return tracker_.flush_lsn();
}

void Pipeline::lose_connection(const Error& error) {
  bump(parts_.stats.errors[static_cast<std::size_t>(ErrorKind::kPostgres)]);
  if (!unconnected_since_) unconnected_since_ = now_;
  // Not an outage: another process has the slot, and this one stands by (source.h).
  const bool standby = error.exit_code() == ExitCode::kPostgresSetup;
  const bool was_standby = parts_.stats.standby.exchange(standby);
  if (standby) unconnected_since_ = now_;
  const auto limit = options_.reconnect_timeout;
  if (limit > milliseconds(0) && now_ - *unconnected_since_ >= limit) {
    throw Error(error.exit_code(),
                fmt::format("{} (without PostgreSQL for longer than "
                            "--reconnect-timeout)",
                            error.what()),
                error.hint());
  }
  connect_later();
  if (standby) {
    if (was_standby) return;
    parts_.log(LogLevel::kInfo, "standing by until the slot is free",
               {{"slot", options_.slot}, {"error", error.what()}, {"hint", error.hint()}});
    return;
  }
  parts_.log(
      LogLevel::kWarn, "no connection to PostgreSQL; trying again",
      {{"slot", options_.slot},
       {"error", error.what()},
       {"hint", error.hint()},
       {"retry_ms",
        std::to_string(std::chrono::duration_cast<milliseconds>(attempt_at_ - now_).count())}});
}

// Drops the connection and comes back after a while. A transaction without its Commit comes again
// whole.
void Pipeline::connect_later() {
  parts_.source.close();
  pending_.reset();
  unrouted_.reset();
  attempt_running_ = false;
  start_sent_ = false;
  // What was reported since may have been lost with the connection.
  if (identity_) reported_flush_ = identity_->confirmed_flush_lsn;
  attempt_at_ = now_ + backoff_.next();
  if (stop_) {
    stop_->copy_done_deadline.reset();
    if (stop_->reason == Stop::Reason::kEndPosition) stop_.reset();  // it is reached again
  }
  if (state_ == State::kStreaming && in_flight_records_ > 0) {
    state_ = State::kSettling;
    settle_deadline_ = now_ + kSettleTimeout;
  } else if (state_ == State::kStreaming) {
    state_ = State::kConnecting;
  }
}

void Pipeline::step_settling() {
  if (in_flight_records_ > 0 && now_ < settle_deadline_ && !is_stop_late()) return;
  state_ = State::kConnecting;
  step_connecting();
}

void Pipeline::step_streaming() {
  if (stop_ && stop_->copy_done_deadline) return step_stopping();
  receive();
  check_silence();
  report_status_if_due();
  if (stop_) step_stopping();
}

// ---------------------------------------------------------------------------------------------
// Receiving

void Pipeline::receive() {
  for (int frames = 0; frames < kFramesPerStep; ++frames) {
    if (unrouted_) take_relation_facts();
    if (pending_ && !send_pending()) return;
    if (state_ != State::kStreaming || !may_read()) return;
    const auto message = parts_.source.try_receive();
    if (!message) return;
    last_received_ = now_;
    reply_asked_ = false;
    std::visit([this](const auto& received) { handle(received); }, *message);
  }
  more_ = true;
}

// False is back-pressure, or the end: the rest stays in the server's log.
bool Pipeline::may_read() const {
  if (pending_ || unrouted_) return false;
  if (stop_ && (stop_->reason == Stop::Reason::kFailure || !tracker_.is_open())) return false;
  if (!tracker_.is_open() && tracker_.full()) return false;
  return in_flight_records_ < options_.max_in_flight_records &&
         in_flight_bytes_ < options_.max_in_flight_bytes;
}

EventDecoder::Decoded Pipeline::decode(const XLogData& message) {
  try {
    return parts_.decoder.decode(message, wall_now_);
  } catch (const Error& error) {
    fail_row(error);
    return {};
  }
}

void Pipeline::fail_row(const Error& error) {
  bump(parts_.stats.errors[static_cast<std::size_t>(ErrorKind::kInvalidRow)]);
  fail(error);
}

void Pipeline::handle(const XLogData& message) {
  const auto decoded = decode(message);
  if (const auto* record = std::get_if<Record>(&decoded)) {
    pending_ = *record;
    (void)send_pending();
  } else if (const auto* wanting = std::get_if<EventDecoder::NeedsRelationFacts>(&decoded)) {
    unrouted_ = message;
    unrouted_relid_ = wanting->relid;
    parts_.source.request_relation_facts(wanting->relid);
  } else if (const auto* begin = std::get_if<pgoutput::Begin>(&decoded)) {
    if (end_position_ && begin->final_lsn > *end_position_) return reach(begin->final_lsn);
    open_ticket_ = tracker_.begin(begin->commit_time);
    open_final_lsn_ = begin->final_lsn;
  } else if (const auto* commit = std::get_if<pgoutput::Commit>(&decoded)) {
    tracker_.commit(commit->end_lsn);
    note_flush_advance();
    backoff_.reset();
    reach(commit->end_lsn);
  }
}

void Pipeline::take_relation_facts() {
  auto facts = parts_.source.poll_relation_facts();
  if (!facts) return;
  const XLogData message = *unrouted_;
  unrouted_.reset();
  try {
    parts_.decoder.learn(unrouted_relid_, std::move(*facts));
  } catch (const Error& error) {
    return fail_row(error);
  }
  handle(message);
}

void Pipeline::handle(const PrimaryKeepalive& message) {
  tracker_.keepalive(message.wal_end);
  note_flush_advance();
  backoff_.reset();
  if (message.reply_requested) report_status(false);
  if (!tracker_.is_open()) reach(message.wal_end);
}

// Everything committed up to `position` was received.
void Pipeline::reach(Lsn position) {
  if (!end_position_ || position < *end_position_ || stop_) return;
  parts_.log(LogLevel::kInfo, "--endpos reached", {{"lsn", position.to_string()}});
  stop_ = Stop{.reason = Stop::Reason::kEndPosition};
}

// True: the sink has it. False: later.
bool Pipeline::send_pending() {
  bool sent = false;
  try {
    sent = parts_.sink.try_send(*pending_, open_ticket_);
  } catch (const Error& error) {
    if (error.is_retryable()) {
      on_sink_lost(error);
      return false;
    }
    bump(parts_.stats.errors[static_cast<std::size_t>(ErrorKind::kRefused)]);
    fail(error);
    return false;
  }
  if (!sent) return false;
  tracker_.sent();
  newest_sent_ = std::max(newest_sent_, open_final_lsn_);
  ++in_flight_records_;
  in_flight_bytes_ += Sink::size_of(*pending_);
  pending_.reset();
  return true;
}

// Counts only while we read: a server that cannot send to us is no silent server.
void Pipeline::check_silence() {
  if (state_ != State::kStreaming) return;
  if (!may_read()) {
    last_received_ = now_;
    return;
  }
  const auto silence = now_ - last_received_;
  if (silence >= silence_limit_) {
    throw Error::retryable(
        ExitCode::kPostgresUnreachable,
        fmt::format("PostgreSQL has not answered for {} s although the connection is up",
                    std::chrono::duration_cast<std::chrono::seconds>(silence).count()),
        "look for a server that is stopped or overloaded, or a network that drops packets");
  }
  if (silence >= silence_limit_ / 3 && !reply_asked_) {
    reply_asked_ = true;
    report_status(true);
  }
}

// ---------------------------------------------------------------------------------------------
// Waiting

TimePoint Pipeline::deadline() const {
  if (more_) return now_;
  TimePoint at = now_ + kGuardWait;
  if (stop_ && stop_->copy_done_deadline) return std::min(at, *stop_->copy_done_deadline);
  if (stop_ && stop_->deadline) at = std::min(at, *stop_->deadline);
  switch (state_) {
    case State::kConnecting:
      if (is_sink_lost_) {
        at = std::min(at, sink_restart_at_);
      } else if (!attempt_running_) {
        at = std::min(at, attempt_at_);
      }
      break;
    case State::kSettling:
      at = std::min(at, settle_deadline_);
      break;
    case State::kStreaming:
      at = std::min(at, status_due());
      break;
  }
  return at;
}

WaitFor Pipeline::sink_wait() const { return is_sink_lost_ ? WaitFor{} : parts_.sink.wait_for(); }

WaitFor Pipeline::relation_facts_wait() const {
  return unrouted_ ? parts_.source.wait_for_relation_facts() : WaitFor{};
}

WaitFor Pipeline::source_wait() const {
  if (state_ == State::kSettling || (state_ == State::kConnecting && !attempt_running_)) return {};
  if (stop_ && stop_->copy_done_deadline) return parts_.source.wait_for(true);
  return parts_.source.wait_for(state_ == State::kConnecting || may_read());
}

}  // namespace walpost
