#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model_broker.h"
#include "model_clock.h"
#include "model_server.h"
#include "model_source.h"
#include "random.h"
#include "violations.h"
#include "walpost/check.h"
#include "walpost/pipeline.h"

namespace walpost::sim {

// One walpost process: all that a kill -9 takes away.
struct Process {
  Process(ModelServer& server, ModelBroker& broker, const ModelClock& clock, Random& random,
          Violations& violations, const PipelineOptions& options);

  Log log = [](LogLevel, std::string_view, std::initializer_list<LogField>) {};
  Stats stats;
  ModelSource source;
  ModelSink sink;
  EventDecoder decoder;
  Pipeline pipeline;
};

// A server, a broker, and walpost processes between them, with every promise checked after each
// step against what is really in the log and what was really acknowledged.
class World final {
 public:
  explicit World(std::uint64_t seed);

  // What happens around walpost.
  void commit_events(std::uint64_t event_count, std::uint64_t other_rows = 0);
  void start_process();
  void kill_process();
  // One turn of the loop after `wait`, or after as long as the pipeline would wait if that is less.
  void step(Duration wait);
  // Lets server, producer and broker work.
  void work(std::uint64_t server_units, std::uint64_t sink_units);
  // Everything works and time passes, until all that was committed has arrived and is confirmed.
  void settle();
  // The same until the process has ended, at most `step_count` steps.
  void run_until_stopped(std::uint64_t step_count);
  // A process that must not keep up with time for a while: promises of time are not checked.
  void stall(Duration by);

  [[nodiscard]] bool is_running() const { return process_ != nullptr; }
  [[nodiscard]] Process& process() {
    CHECK(is_running());
    return *process_;
  }
  [[nodiscard]] bool everything_arrived() const;
  [[nodiscard]] std::uint64_t committed_count() const { return committed_.size(); }

  PipelineOptions options;
  ModelClock clock;
  Random random;
  Violations violations;
  ModelServer server{clock, random};
  ModelBroker broker;
  // How the last process ended, if it was not killed.
  std::optional<ExitCode> last_exit;
  std::uint64_t repeats = 0;
  // The slot was set back to an older position, or the events of a poisoned key are held up.
  bool promoted = false;

 private:
  static constexpr std::uint64_t kLargestRecordBytes = 64;

  void on_append(const StoredRecord& record);
  void on_status(Lsn flush_lsn);
  void on_start(Lsn start, const Received& before);
  void check_step(std::uint64_t effects_before);
  void check_confirmable();
  void check_clean_end();
  void end_process(ExitCode code);
  [[nodiscard]] Lsn reference_flush(const Received& received) const;
  [[nodiscard]] std::uint64_t effects() const;

  std::unique_ptr<Process> process_;
  std::vector<Event> committed_;                              // by number
  std::map<std::string, std::vector<std::uint64_t>> by_key_;  // events in commit order
  std::map<std::string, std::size_t> arrived_;    // how many of each key, without repeats
  std::map<std::uint64_t, std::uint64_t> acked_;  // event → generation of its last ack
  std::set<std::uint64_t> sent_;                  // by this process
  Lsn last_reported_;
  Lsn last_reference_;
  std::optional<Lsn> last_seen_report_;
  TimePoint reference_advanced_at_;
  std::uint64_t idle_spins_ = 0;
};

}  // namespace walpost::sim
