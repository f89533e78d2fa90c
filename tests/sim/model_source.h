#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model_server.h"
#include "violations.h"
#include "walpost/error.h"
#include "walpost/source.h"

namespace walpost::sim {

// What one connection brought, in the order in which the pipeline took it: a reference for
// FlushTracker that keeps everything.
struct Received {
  struct Unit {
    Lsn position;                       // may be confirmed once all events up to here are acked
    std::vector<std::uint64_t> events;  // of a transaction; a keepalive has none
  };
  std::uint64_t generation = 0;  // which connection of this process
  Lsn start;
  std::vector<Unit> units;
  std::optional<std::vector<std::uint64_t>> open;  // events of the transaction without its Commit
  Lsn newest;
};

// The client's end of a connection to the ModelServer. It watches that the pipeline keeps to what
// source.h allows, and spoils a frame as soon as it may be gone.
class ModelSource final : public Source {
 public:
  ModelSource(ModelServer& server, Random& random, Violations& violations)
      : server_(server), random_(random), violations_(violations) {}
  ~ModelSource() override { close(); }

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

  // Faults: the connection is lost when `frames` more were taken.
  void lose_after_frames(std::uint64_t frames) { frames_until_loss_ = frames; }

  // Observers.
  std::function<void(Lsn flush_lsn)> on_status;
  std::function<void(Lsn start, const Received& before)> on_start;
  [[nodiscard]] const Received& received() const { return received_; }
  [[nodiscard]] bool streams() const { return state_ == State::kStreaming; }
  [[nodiscard]] std::optional<Lsn> reported() const { return reported_; }
  [[nodiscard]] std::uint64_t calls_with_effect() const { return calls_with_effect_; }

 private:
  enum class State { kClosed, kLogin, kReady, kStarting, kStreaming, kFinishing, kFailed };

  void expect(std::initializer_list<State> allowed, const char* call);
  [[noreturn]] void fail(ExitCode code, const char* why);
  void fail_if_broken();
  void note(const ReplicationMessage& message);
  void spoil_frame();

  ModelServer& server_;
  Random& random_;
  Violations& violations_;
  State state_ = State::kClosed;
  std::uint64_t polls_left_ = 0;
  std::optional<std::uint64_t> relation_facts_polls_left_;  // of the question that is open
  Received received_;
  std::optional<Lsn> reported_;
  ServerIdentity identity_;
  Lsn start_;
  std::vector<std::byte> frame_;
  std::optional<std::uint64_t> frames_until_loss_;
  std::uint64_t calls_with_effect_ = 0;
};

}  // namespace walpost::sim
