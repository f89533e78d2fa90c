#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connection.h"
#include "relation_facts_query.h"
#include "rows_before.h"
#include "server_state.h"
#include "setup_plan.h"
#include "slot_wait_report.h"
#include "walpost/clock.h"
#include "walpost/log.h"
#include "walpost/read_pace.h"
#include "walpost/source.h"

namespace walpost {

struct ReplicationStreamOptions {
  std::string conninfo;
  Wanted wanted;
  std::optional<SetupOptions> auto_setup;  // nullopt: what is missing is refused
  std::optional<std::uint64_t> logical_decoding_work_mem_bytes;
};

// The Source over libpq. On connecting it first looks up everything that `run` refuses, over an
// ordinary connection, and throws the first error; warnings are logged once in the life of the
// process. The connection that streams comes after it, to the same host.
//
// Manual: "Streaming Replication Protocol", "Logical Streaming Replication Protocol".
class ReplicationStream final : public Source {
 public:
  // `clock` must outlive the stream.
  ReplicationStream(ReplicationStreamOptions options, const Clock& clock, Log log);
  ~ReplicationStream() override;

  void connect() override;
  [[nodiscard]] std::optional<ServerIdentity> poll_connected() override;
  void start_replication(Lsn start) override;
  [[nodiscard]] bool poll_streaming() override;
  [[nodiscard]] std::optional<ReplicationMessage> try_receive() override;
  void send_status(const StandbyStatusUpdate& status) override;
  void send_copy_done() override;
  [[nodiscard]] bool poll_finished() override;
  void close() noexcept override;
  void request_relation_facts(Oid relid) override;
  [[nodiscard]] std::optional<RelationFacts> poll_relation_facts() override;
  [[nodiscard]] WaitFor wait_for(bool reading) const override;
  [[nodiscard]] WaitFor wait_for_relation_facts() const override;

  // Where the newest login led; nullopt: there was none yet. A connection that is pinned to it
  // resolves no name and reaches the same server.
  [[nodiscard]] const std::optional<Endpoint>& endpoint() const noexcept { return endpoint_; }

 private:
  enum class Phase {
    kClosed,
    kLogin,           // of an ordinary connection
    kInspect,         // server_state_sql()
    kSetup,           // one step of the plan
    kCountRows,       // rows_before_sql(), on a slot that seems never to have sent anything
    kWalsenderLogin,  // the connection that will stream
    kIdentify,        // IDENTIFY_SYSTEM
    kReady,
    kStarting,  // START_REPLICATION sent
    kStreaming,
    kFinishing,  // our CopyDone sent
    kFinished,
  };
  struct FrameDeleter {
    void operator()(char* frame) const noexcept;
  };

  void begin(Phase phase, const std::string& sql);
  void begin_walsender();
  [[nodiscard]] bool poll_login();
  // True when the phase's answer came and the next phase began.
  [[nodiscard]] bool poll_phase();
  [[nodiscard]] bool poll_rows_counted();
  [[nodiscard]] std::optional<std::vector<ResultTable>> poll_answer();
  void check_answer_deadline() const;
  void on_identified(const ResultTable& system);
  void on_inspected(const std::vector<ResultTable>& results);
  void on_step_done();
  void begin_step();
  void check_findings();
  void log_finding(const Finding& finding);
  void count_next_table();
  void on_rows_counted(const RowsBefore& rows);

  // The next message that libpq holds into frame_. 0: none that is complete.
  [[nodiscard]] int take_frame();
  // False during a pause.
  [[nodiscard]] bool read_portion();
  void take_notices();
  [[nodiscard]] Error young_publication(std::string_view what) const;
  [[noreturn]] void fail_stream(const pg_result* result);

  ReplicationStreamOptions options_;
  const Clock& clock_;
  Log log_;
  Phase phase_ = Phase::kClosed;
  std::unique_ptr<Connection> connection_;
  std::optional<Endpoint> endpoint_;
  TimePoint answer_deadline_{};
  ServerIdentity identity_;
  ServerState state_;

  // Setting up.
  std::vector<Step> steps_;
  std::size_t next_step_ = 0;
  std::optional<SlotWaitReport> wait_report_;  // of the step under way

  // In the life of the process.
  bool is_set_up_ = false;
  bool made_slot_ = false;
  bool findings_logged_ = false;
  bool was_ready_ = false;
  std::size_t next_counted_table_ = 0;

  // Streaming.
  std::unique_ptr<char, FrameDeleter> frame_;  // the last message; freed on the next call
  bool may_have_frames_ = false;               // libpq's buffer was not yet seen empty
  bool copy_ended_ = false;                    // by the server; its last result is to come
  ReadPace pace_;
  std::optional<RelationFactsQuery> relation_facts_query_;  // the question under way
};

}  // namespace walpost
