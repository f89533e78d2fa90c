#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "walpost/clock.h"
#include "walpost/column_facts.h"
#include "walpost/lsn.h"
#include "walpost/replication_message.h"
#include "walpost/wait.h"

namespace walpost {

// What a connected server says of itself and of our slot, before streaming begins.
struct ServerIdentity {
  std::string system_identifier;  // IDENTIFY_SYSTEM systemid
  std::uint32_t timeline = 0;     // IDENTIFY_SYSTEM timeline
  Lsn flush_lsn;                  // IDENTIFY_SYSTEM xlogpos: flushed to the server's disk
  Lsn confirmed_flush_lsn;        // pg_replication_slots: where the slot stands
  std::chrono::milliseconds wal_sender_timeout{0};  // 0: the server never closes for silence
};

// The seam to PostgreSQL: one walsender, one slot. One thread; no call blocks, but for the name
// resolution in connect() (libpq resolves host names synchronously).
//
// connect() → poll_connected() until it answers → start_replication() → poll_streaming() →
// try_receive()… → send_copy_done() → poll_finished() → close(). Every call may throw Error; after
// one only close() and connect() are allowed. A retryable Error means "connect again later"; with
// ExitCode::kPostgresSetup it means that another connection has the slot.
//
// How long an attempt may take is the source's own business: it throws when it gives one up.
class Source {
 public:
  virtual ~Source() = default;

  // Begins a new connection attempt; an old connection is dropped.
  virtual void connect() = 0;

  // Drives the attempt: login, identification, and all that `run` refuses. nullopt: not there yet.
  [[nodiscard]] virtual std::optional<ServerIdentity> poll_connected() = 0;

  // START_REPLICATION from `start`; 0/0 is where the slot stands.
  virtual void start_replication(Lsn start) = 0;

  // Drives START_REPLICATION: true once the server has answered it with its stream.
  [[nodiscard]] virtual bool poll_streaming() = 0;

  // The next message. nullopt: none yet. The views in it stay valid until the next try_receive(),
  // poll_finished(), connect() or close(); send_status() leaves them alone.
  [[nodiscard]] virtual std::optional<ReplicationMessage> try_receive() = 0;

  // Queues a standby status update; sends what the socket takes.
  virtual void send_status(const StandbyStatusUpdate& status) = 0;

  // Ends the stream from our side, after the last status.
  virtual void send_copy_done() = 0;
  // True once the server has ended its side too: it has then processed the last status. Messages
  // that were still on their way are dropped.
  [[nodiscard]] virtual bool poll_finished() = 0;

  // While streaming: asks the catalog for what pgoutput does not carry of a relation's columns. One
  // question at a time; connect() and close() forget it.
  virtual void request_relation_facts(Oid relid) = 0;
  // The answer, once; none of it: there is no such relation any more. nullopt: not there yet.
  [[nodiscard]] virtual std::optional<RelationFacts> poll_relation_facts() = 0;

  // Drops the connection, at any time.
  virtual void close() noexcept = 0;

  // When to call again. While `reading` is false the caller will not call try_receive(), so that
  // only what must be written is waited for.
  [[nodiscard]] virtual WaitFor wait_for(bool reading) const = 0;
  // When to call poll_relation_facts() again; nothing while no question is open.
  [[nodiscard]] virtual WaitFor wait_for_relation_facts() const = 0;
};

}  // namespace walpost
