#include "walpost/flush_tracker.h"

#include <algorithm>

#include "walpost/check.h"

namespace walpost {

FlushTracker::FlushTracker(Ticket next, Lsn flush_lsn)
    : ring_(kCapacity),
      first_(next.value),
      head_(next.value),
      tail_(next.value),
      flush_lsn_(flush_lsn),
      received_lsn_(flush_lsn) {}

Ticket FlushTracker::begin(PgTimestamp commit_time) {
  CHECK(!open_);
  CHECK(!full());
  entry(tail_) = Entry{.commit_time = commit_time};
  open_ = true;
  return Ticket{tail_++};
}

void FlushTracker::sent() {
  CHECK(open_);
  ++entry(tail_ - 1).outstanding;
}

void FlushTracker::commit(Lsn end_lsn) {
  CHECK(open_);
  open_ = false;
  Entry& transaction = entry(tail_ - 1);
  if (transaction.outstanding == 0) {
    // Nothing of it is on its way: as a keepalive, it needs no place of its own.
    --tail_;
    confirm_with_newest(end_lsn);
  } else {
    transaction.committed = true;
    transaction.end_lsn = end_lsn;
  }
  received_lsn_ = std::max(received_lsn_, end_lsn);
}

void FlushTracker::keepalive(Lsn wal_end) {
  if (open_) return;
  received_lsn_ = std::max(received_lsn_, wal_end);
  confirm_with_newest(wal_end);
}

void FlushTracker::confirm_with_newest(Lsn lsn) {
  Lsn& confirmed_with = empty() ? flush_lsn_ : entry(tail_ - 1).end_lsn;
  confirmed_with = std::max(confirmed_with, lsn);
}

void FlushTracker::acked(Ticket ticket) {
  if (ticket.value < first_) return;
  CHECK(ticket.value >= head_ && ticket.value < tail_);
  Entry& transaction = entry(ticket.value);
  CHECK(transaction.outstanding > 0);
  --transaction.outstanding;
  while (!empty() && entry(head_).committed && entry(head_).outstanding == 0) {
    flush_lsn_ = std::max(flush_lsn_, entry(head_).end_lsn);
    ++head_;
  }
}

std::optional<PgTimestamp> FlushTracker::commit_time(Ticket ticket) const noexcept {
  if (ticket.value < head_ || ticket.value >= tail_) return std::nullopt;
  return entry(ticket.value).commit_time;
}

std::optional<PgTimestamp> FlushTracker::oldest_commit_time() const noexcept {
  if (empty()) return std::nullopt;
  return entry(head_).commit_time;
}

}  // namespace walpost
