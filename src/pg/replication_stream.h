#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "connection.h"
#include "server_state.h"
#include "setup_plan.h"
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

// The Source over libpq. On connecting it looks up everything that `run` refuses, over the same
// connection, and throws the first error; warnings are logged once in the life of the process.
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
  [[nodiscard]] bool is_streaming() const override;
  [[nodiscard]] std::optional<ReplicationMessage> try_receive() override;
  void send_status(const StandbyStatusUpdate& status) override;
  void send_copy_done() override;
  [[nodiscard]] bool poll_finished() override;
  void close() noexcept override;
  [[nodiscard]] WaitFor wait_for(bool reading) const override;

 private:
  enum class Phase {
    kClosed,
    kLogin,
    kIdentify,   // IDENTIFY_SYSTEM
    kInspect,    // server_state_sql()
    kSetup,      // one step of the plan
    kCountRows,  // rows_before_sql(), on a slot that never sent anything
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
  // Each takes the answer of its phase and begins the next one.
  void on_logged_in();
  void on_identified(const ResultTable& system);
  void on_inspected(const std::vector<ResultTable>& results);
  void on_rows_counted(const ResultTable& result);
  void begin_next_step();
  void poll_setup();
  void report_slot_wait();
  void begin_counting_rows();
  void check_findings();
  void poll_start();
  // What libpq has buffered. 0: nothing complete. Throws at the stream's end.
  [[nodiscard]] int take_frame();
  [[nodiscard]] bool read_portion();
  void put_copy_data(const char* data, int size);
  [[noreturn]] void fail_stream();
  [[nodiscard]] std::optional<WaitFor> slot_wait() const;

  ReplicationStreamOptions options_;
  const Clock& clock_;
  Log log_;
  Phase phase_ = Phase::kClosed;
  std::unique_ptr<Connection> connection_;
  ServerIdentity identity_;
  ServerState state_;

  // Setting up.
  std::vector<Step> steps_;
  std::size_t next_step_ = 0;
  std::unique_ptr<Connection> slot_watch_;  // asks whom the creation of the slot waits for
  bool slot_watch_logged_in_ = false;
  TimePoint next_slot_report_{};

  // Said once in the life of the process.
  bool findings_logged_ = false;
  bool rows_counted_ = false;
  std::size_t next_counted_table_ = 0;

  // Streaming.
  std::unique_ptr<char, FrameDeleter> frame_;  // the last message; freed on the next call
  bool may_have_frames_ = false;               // libpq's buffer was not yet seen empty
  ReadPace pace_;
};

}  // namespace walpost
