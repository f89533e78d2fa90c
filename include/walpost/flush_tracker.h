#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "walpost/ids.h"
#include "walpost/lsn.h"
#include "walpost/pg_time.h"

namespace walpost {

// THE invariant: which position may be confirmed to PostgreSQL.
//
// A ring of received transactions. They enter at Begin, in commit order, and leave from the head
// only, once they are done: their Commit was seen and every record they produced is acknowledged.
// flush_lsn() is the end_lsn of the newest transaction such that it and all before it are done.
//
// A transaction without records, and a keepalive, need no place of their own: what they allow to
// confirm is noted at the newest committed transaction before them, and is confirmed with it.
//
// Bounded: full() means stop reading. Not thread-safe.
class FlushTracker final {
 public:
  // Enough for a second of the smallest transactions at full speed, in 2 MiB.
  static constexpr std::size_t kCapacity = std::size_t{1} << 16;

  // `next` is the first ticket to give out; `flush_lsn` where the stream starts, all before it is
  // done.
  FlushTracker(Ticket next, Lsn flush_lsn);

  // A Begin. At most one transaction is open. Needs !full(). A ticket is given out again only after
  // a transaction that left nothing on its way.
  Ticket begin(PgTimestamp commit_time);
  // The open transaction handed one record to the sink.
  void sent();
  // The Commit of the open transaction.
  void commit(Lsn end_lsn);
  // Everything up to `wal_end` was received (a keepalive). While a transaction is open it says
  // nothing that the coming Commit will not say better, and is ignored.
  void keepalive(Lsn wal_end);
  // One record is acknowledged. Tickets from before this tracker are ignored: their transactions
  // come again from the server.
  void acked(Ticket ticket);

  // Never goes back.
  [[nodiscard]] Lsn flush_lsn() const noexcept { return flush_lsn_; }
  // Newest position known to be received in full.
  [[nodiscard]] Lsn received_lsn() const noexcept { return received_lsn_; }
  [[nodiscard]] bool is_open() const noexcept { return open_; }
  [[nodiscard]] bool full() const noexcept { return size() == kCapacity; }
  // Transactions that are not done, the open one included.
  [[nodiscard]] std::size_t size() const noexcept { return tail_ - head_; }
  [[nodiscard]] bool empty() const noexcept { return head_ == tail_; }
  // The first ticket that the next tracker may give out.
  [[nodiscard]] Ticket next_ticket() const noexcept { return Ticket{tail_}; }
  // The commit time of the transaction of `ticket`; nullopt if it is done or older than this
  // tracker.
  [[nodiscard]] std::optional<PgTimestamp> commit_time(Ticket ticket) const noexcept;
  // The commit time of the oldest transaction that is not done.
  [[nodiscard]] std::optional<PgTimestamp> oldest_commit_time() const noexcept;

 private:
  struct Entry {
    Lsn end_lsn;                    // confirmed when this and all before are done
    std::uint64_t outstanding = 0;  // records sent and not acknowledged
    PgTimestamp commit_time;
    bool committed = false;
  };

  [[nodiscard]] Entry& entry(std::uint64_t number) noexcept { return ring_[number % kCapacity]; }
  [[nodiscard]] const Entry& entry(std::uint64_t number) const noexcept {
    return ring_[number % kCapacity];
  }
  // `lsn` may be confirmed as soon as everything received so far is done.
  void confirm_with_newest(Lsn lsn);

  std::vector<Entry> ring_;
  std::uint64_t first_;  // reports with an older ticket belong to a tracker before this one
  std::uint64_t head_;   // the oldest transaction that is not done
  std::uint64_t tail_;   // one past the newest; both are ticket numbers
  Lsn flush_lsn_;
  Lsn received_lsn_;
  bool open_ = false;
};

}  // namespace walpost
