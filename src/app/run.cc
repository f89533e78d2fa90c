#include "run.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "connection.h"
#include "http_server.h"
#include "kafka_findings.h"
#include "null_sink.h"
#include "process_view.h"
#include "producer.h"
#include "progress_line.h"
#include "recent_errors.h"
#include "replication_stream.h"
#include "routing.h"
#include "signals.h"
#include "slot_gauges.h"
#include "slot_watch.h"
#include "stdout_sink.h"
#include "validate_options.h"
#include "walpost/event_decoder.h"
#include "walpost/pipeline.h"
#include "walpost/wait.h"
#include "wanted.h"

namespace walpost {
namespace {

// Pauses of 50 µs are part of the read pace; the kernel's default slack would double them.
constexpr unsigned long kTimerSlackNs = 1'000;

std::unique_ptr<Sink> make_sink(const Options& options, const Log& log, const Clock& clock) {
  switch (options.sink) {
    case SinkKind::kKafka:
      return std::make_unique<Producer>(
          ProducerOptions{.kafka = kafka_settings_of(options),
                          .topic_creation = options.topic_creation,
                          .topic_partitions = options.topic_partitions,
                          .topic_replication_factor = options.topic_replication_factor,
                          .topic_config = options.topic_config,
                          .topic_timeout = options.topic_timeout},
          log, clock);
    case SinkKind::kStdout:
      return std::make_unique<StdoutSink>(STDOUT_FILENO);
    case SinkKind::kNull:
      return std::make_unique<NullSink>();
  }
  throw Error(ExitCode::kUnexpected, "no such sink");
}

PipelineOptions pipeline_options(const Options& options) {
  return {.slot = options.slot,
          .status_interval = options.status_interval,
          .reconnect_timeout = options.reconnect_timeout,
          .drain_timeout = options.drain_timeout,
          .max_in_flight_records = options.max_in_flight_records,
          .max_in_flight_bytes = options.max_in_flight_bytes,
          .end_position = options.end_position,
          .backoff_seed = std::random_device()()};
}

// One process that streams: its parts, and the loop that turns them.
class Run final {
 public:
  Run(const Options& options, const Log& log)
      : log_(recent_errors_.noting(log)),
        decoder_(make_decoder(options, stats_, log_)),
        sink_(make_sink(options, log_, clock_)),
        source_({.conninfo = options.conninfo,
                 .wanted = wanted_of(options),
                 .auto_setup = options.auto_setup ? std::optional(SetupOptions{}) : std::nullopt,
                 .logical_decoding_work_mem_bytes = options.logical_decoding_work_mem_bytes},
                clock_, log_),
        pipeline_(pipeline_options(options), {.source = source_,
                                              .sink = *sink_,
                                              .decoder = decoder_,
                                              .clock = clock_,
                                              .stats = stats_,
                                              .log = log_}),
        slot_watch_({.conninfo = options.conninfo,
                     .wanted = wanted_of(options),
                     .endpoint = [this] { return source_.endpoint(); },
                     .max_slot_lag_bytes = options.max_slot_lag_bytes},
                    clock_, log_),
        view_{.stats = stats_,
              .slot_gauges = slot_gauges_,
              .recent_errors = recent_errors_,
              .clock = clock_,
              .slot = options.slot,
              .publication = options.publication,
              .database = resolve_conninfo(options.conninfo).dbname,
              .max_slot_lag_bytes = options.max_slot_lag_bytes},
        http_(serve_http(options, process_routes(view_), log_)),
        progress_(options.progress, STDERR_FILENO, view_) {}

  ExitCode turn_until_stopped() {
    while (!pipeline_.stopped()) {
      take_signals();
      pipeline_.step();
      watch_slot();
      progress_.draw_if_due();
      if (!pipeline_.stopped()) wait();
    }
    if (*pipeline_.stopped() == ExitCode::kDrainDeadline) leave(ExitCode::kDrainDeadline);
    return *pipeline_.stopped();
  }

 private:
  void take_signals() {
    while (const auto signal = signals_.take()) {
      if (*signal == SIGHUP) {
        log_(LogLevel::kInfo, "SIGHUP is ignored: options are read at the start only", {});
      } else if (stopping_) {
        log_(LogLevel::kWarn, "second signal: stopping at once; unconfirmed events will come again",
             {});
        leave(ExitCode::kDrainDeadline);
      } else {
        stopping_ = true;
        pipeline_.stop();
      }
    }
  }

  // Without destructors: they would wait for brokers and clients that do not answer.
  [[noreturn]] static void leave(ExitCode code) { std::_Exit(static_cast<int>(code)); }

  // Once there is a slot to watch: --auto-setup may be about to make it.
  void watch_slot() {
    if (!pipeline_.server() || !slot_watch_.poll()) return;
    if (const auto& status = slot_watch_.status()) {
      slot_gauges_.store(*status);
    } else {
      slot_gauges_.forget();
    }
    if (const auto& server = pipeline_.server()) {
      slot_gauges_.store_system_identifier(server->system_identifier);
    }
  }

  void wait() {
    const std::array waits{
        pipeline_.source_wait(), pipeline_.relation_facts_wait(),
        pipeline_.sink_wait(),   pipeline_.server() ? slot_watch_.wait_for() : WaitFor{},
        signals_.wait_for(),     WaitFor{.at = progress_.due()}};
    wait_for_any(waits, pipeline_.deadline(), clock_);
  }

  Signals signals_;  // first: every thread made below inherits the mask
  SystemClock clock_;
  RecentErrors recent_errors_;
  Log log_;
  Stats stats_;
  SlotGauges slot_gauges_;
  EventDecoder decoder_;
  std::unique_ptr<Sink> sink_;
  ReplicationStream source_;
  Pipeline pipeline_;
  SlotWatch slot_watch_;
  ProcessView view_;
  std::unique_ptr<HttpServer> http_;
  ProgressLine progress_;
  bool stopping_ = false;
};

}  // namespace

ExitCode run(const Options& options, const Log& log) {
  validate_for_streaming(options);
  ::prctl(PR_SET_TIMERSLACK, kTimerSlackNs, 0, 0, 0);
  return Run(options, log).turn_until_stopped();
}

}  // namespace walpost
