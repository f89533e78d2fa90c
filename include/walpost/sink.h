#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "walpost/error.h"
#include "walpost/ids.h"
#include "walpost/record.h"
#include "walpost/wait.h"

namespace walpost {

// The end of one record's way: acknowledged by all in-sync replicas, or refused for good.
struct DeliveryReport {
  Ticket ticket;
  // As counted against --max-in-flight-bytes; the same number that try_send() took.
  std::uint64_t bytes = 0;
  // Null: delivered. Otherwise why this record can never be delivered, naming it by topic and event
  // id, with ExitCode::kUndeliverable. Transient errors are the sink's own business and never
  // reported here.
  std::unique_ptr<Error> refusal;
};

// The seam to where records go. One thread; no call blocks; nothing acts inside a callback of a
// library: it records, and drain_reports() hands it over.
//
// Order: records of one partition are delivered in the order of try_send(). After a refusal no
// later record of its partition is delivered until restart(), and the sink may be lost with it:
// records behind the refused one, of whatever partition, may then never be reported.
class Sink {
 public:
  virtual ~Sink() = default;

  // Bytes that `record` counts for, in try_send() and in its report.
  [[nodiscard]] static std::uint64_t size_of(const Record& record) noexcept {
    return (record.key ? record.key->size() : 0) + (record.value ? record.value->size() : 0);
  }

  // Takes a copy of `record` and reports on it later. False: nothing was taken (its queue is full,
  // its topic is not ready yet); try the same record again after the next wake-up.
  // Throws Error{kUndeliverable} when this record can never be delivered (nothing was taken).
  // Throws a retryable Error when the client is lost and must be restart()ed.
  [[nodiscard]] virtual bool try_send(const Record& record, Ticket ticket) = 0;

  // Appends the reports that came since the last call: those that came before a throw too. Throws a
  // retryable Error when the client is lost: the fate of everything in flight is then unknown, no
  // report of it comes any more, and restart() must follow. Throws Error{kUndeliverable}, likewise
  // after the last report, when nothing can be delivered any more (standard output is closed, its
  // disk is full).
  virtual void drain_reports(std::vector<DeliveryReport>& reports) = 0;

  // Forgets what is in flight without a report and begins anew with an empty client.
  virtual void restart() = 0;

  // False while the other side cannot be reached; for /readyz and the log, never for decisions
  // about delivery.
  [[nodiscard]] virtual bool is_reachable() const = 0;

  // When to call drain_reports() (and a try_send() that said false) again.
  [[nodiscard]] virtual WaitFor wait_for() const = 0;
};

}  // namespace walpost
