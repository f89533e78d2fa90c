#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "walpost/backoff.h"
#include "walpost/clock.h"
#include "walpost/error.h"
#include "walpost/event_decoder.h"
#include "walpost/flush_tracker.h"
#include "walpost/log.h"
#include "walpost/sink.h"
#include "walpost/source.h"
#include "walpost/stats.h"

namespace walpost {

// Deliver up to this position, confirm it, end with 0.
struct EndPosition {
  std::optional<Lsn> lsn;  // nullopt: `now`, the server's flush position at the first connection
};

struct PipelineOptions {
  std::string slot;  // for log lines
  std::chrono::milliseconds status_interval{1'000};
  std::chrono::milliseconds reconnect_timeout{0};  // 0: for ever
  std::chrono::milliseconds drain_timeout{25'000};
  std::uint64_t max_in_flight_records = 0;
  std::uint64_t max_in_flight_bytes = 0;
  std::optional<EndPosition> end_position;
  std::uint64_t backoff_seed = 0;
};

// The state machine over source, sink and clock; docs/ARCHITECTURE.md draws it. It moves only in
// step() and waits nowhere: the caller waits as deadline() and the three *_wait() say. One thread.
//
//   Connecting ──ok──▶ Streaming ──stop()──▶ (drained) ──▶ CopyDone ──▶ stopped
//       ▲                  │ connection lost
//       └──backoff── Settling: what is in flight is acknowledged against the old tracker
//
// Invariant: a position is reported as flushed only if FlushTracker says so, and the tracker hears
// of an acknowledgement only from the sink's report of it.
class Pipeline final {
 public:
  // All must outlive the pipeline.
  struct Parts {
    Source& source;
    Sink& sink;
    EventDecoder& decoder;
    const Clock& clock;
    Stats& stats;
    const Log& log;
  };

  Pipeline(PipelineOptions options, Parts parts);

  // One turn: delivery reports, then what the connection has, then status. Throws the Error that
  // ends the process; what was acknowledged is then confirmed as far as the server could be told.
  void step();

  // Asks for a clean end: an open transaction is read to its Commit, everything in flight is waited
  // for (--drain-timeout), then confirmed.
  void stop();

  // The end that is no Error: kOk or kDrainDeadline.
  [[nodiscard]] std::optional<ExitCode> stopped() const noexcept { return exit_code_; }

  // The server that streams, or streamed last.
  [[nodiscard]] const std::optional<ServerIdentity>& server() const noexcept { return identity_; }

  [[nodiscard]] TimePoint deadline() const;
  [[nodiscard]] WaitFor source_wait() const;
  [[nodiscard]] WaitFor relation_facts_wait() const;
  [[nodiscard]] WaitFor sink_wait() const;

 private:
  enum class State { kConnecting, kStreaming, kSettling };

  // How long what is in flight may take to settle before a reconnect, or before a failure is
  // thrown.
  static constexpr std::chrono::milliseconds kSettleTimeout{10'000};

  // Why reading has ended.
  struct Stop {
    enum class Reason { kAsked, kEndPosition, kFailure };
    Reason reason = Reason::kAsked;
    std::optional<TimePoint> deadline;
    std::optional<Error> failure;
    bool drained = false;                         // everything that was received is acknowledged
    std::optional<TimePoint> copy_done_deadline;  // set once CopyDone is sent
  };

  // Delivery reports.
  void take_reports();
  void on_report(DeliveryReport& report);
  void on_sink_lost(const Error& error);

  // The states.
  void advance();
  void step_connecting();
  void step_settling();
  void step_streaming();
  [[nodiscard]] Lsn start_position(const ServerIdentity& identity);
  void on_streaming();
  void lose_connection(const Error& error);
  void connect_later();

  // Receiving.
  void receive();
  [[nodiscard]] bool may_read() const;
  [[nodiscard]] EventDecoder::Decoded decode(const XLogData& message);
  void take_relation_facts();
  void fail_row(const Error& error);
  void handle(const XLogData& message);
  void handle(const PrimaryKeepalive& message);
  [[nodiscard]] bool send_pending();
  void reach(Lsn position);
  void check_silence();

  // Ending: pipeline_drain.cc.
  void fail(const Error& error);
  void step_stopping();
  [[nodiscard]] bool is_drained() const;
  [[nodiscard]] bool is_stop_late() const;
  [[nodiscard]] ExitCode exit_code_now() const;
  void end(ExitCode code);
  void end_with_failure();

  // Status: pipeline_status.cc.
  void note_flush_advance();
  void report_status_if_due();
  void report_status(bool reply_requested);
  [[nodiscard]] TimePoint status_due() const;
  void publish_stats();

  PipelineOptions options_;
  Parts parts_;
  Backoff backoff_;       // of connections to PostgreSQL
  Backoff sink_backoff_;  // of new clients of the sink
  FlushTracker tracker_;
  State state_ = State::kConnecting;
  TimePoint now_;  // both as of the beginning of this step
  PgTimestamp wall_now_;

  // Connecting.
  bool attempt_running_ = false;
  bool start_sent_ = false;
  TimePoint attempt_at_;
  ServerIdentity attempt_identity_;
  Lsn attempt_start_;
  std::optional<TimePoint> unconnected_since_;
  std::optional<ServerIdentity> identity_;  // of the last server that streamed to us
  std::chrono::milliseconds status_interval_{0};
  std::chrono::milliseconds silence_limit_{0};
  TimePoint settle_deadline_;

  // Streaming.
  std::optional<Lsn> end_position_;
  std::optional<Record> pending_;  // taken from the source, not yet by the sink
  // A row that waits for what the catalog says of its columns; the source's newest message.
  std::optional<XLogData> unrouted_;
  Oid unrouted_relid_;
  Ticket open_ticket_;  // of the open transaction
  Lsn open_final_lsn_;  // its commit_lsn
  Lsn newest_sent_;     // the commit_lsn of the newest transaction with a record sent
  bool more_ = false;   // the source may have more; do not wait
  TimePoint last_received_;
  TimePoint last_status_;
  std::optional<TimePoint> flush_advanced_at_;  // not reported yet
  Lsn reported_flush_;
  bool reply_asked_ = false;

  std::uint64_t in_flight_records_ = 0;
  std::uint64_t in_flight_bytes_ = 0;
  std::vector<DeliveryReport> reports_;
  bool is_sink_lost_ = false;  // nothing but restart() may be asked of it
  TimePoint sink_restart_at_;
  std::optional<Stop> stop_;
  std::optional<Error> final_error_;  // thrown at the end of the step
  std::optional<ExitCode> exit_code_;
};

}  // namespace walpost
