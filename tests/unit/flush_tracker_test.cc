#include "walpost/flush_tracker.h"

#include <gtest/gtest.h>

namespace walpost {
namespace {

class FlushTrackerTest : public testing::Test {
 protected:
  // Begin, `records` records, Commit that ends at `end_lsn`.
  Ticket transaction(std::uint64_t end_lsn, int records) {
    const Ticket ticket = open(records);
    tracker_.commit(Lsn(end_lsn));
    return ticket;
  }
  // Begin and `records` records.
  Ticket open(int records) {
    const Ticket ticket = tracker_.begin(PgTimestamp(1));
    for (int i = 0; i < records; ++i) tracker_.sent();
    return ticket;
  }
  std::uint64_t flush() const { return tracker_.flush_lsn().value(); }

  FlushTracker tracker_{Ticket{1}, Lsn(10)};
};

using FlushTrackerDeathTest = FlushTrackerTest;

TEST_F(FlushTrackerTest, StartsWhereTheStreamStarts) {
  EXPECT_EQ(flush(), 10u);
  EXPECT_EQ(tracker_.received_lsn(), Lsn(10));
  EXPECT_TRUE(tracker_.empty());
}

// Rule 1.
TEST_F(FlushTrackerTest, TransactionsLeaveFromTheHeadOnly) {
  const Ticket first = transaction(20, 1);
  const Ticket second = transaction(30, 1);
  const Ticket third = transaction(40, 1);
  tracker_.acked(third);
  tracker_.acked(second);
  EXPECT_EQ(flush(), 10u);
  EXPECT_EQ(tracker_.size(), 3u);
  tracker_.acked(first);
  EXPECT_EQ(flush(), 40u);
  EXPECT_TRUE(tracker_.empty());
}

// Rule 2.
TEST_F(FlushTrackerTest, ATransactionIsDoneOnceEveryRecordIsAcked) {
  const Ticket ticket = transaction(20, 3);
  tracker_.acked(ticket);
  tracker_.acked(ticket);
  EXPECT_EQ(flush(), 10u);
  tracker_.acked(ticket);
  EXPECT_EQ(flush(), 20u);
}

TEST_F(FlushTrackerTest, ATransactionIsNotDoneBeforeItsCommit) {
  const Ticket ticket = open(1);
  tracker_.acked(ticket);
  EXPECT_EQ(flush(), 10u);
  EXPECT_EQ(tracker_.size(), 1u);
  tracker_.commit(Lsn(20));
  EXPECT_EQ(flush(), 20u);
}

// Rule 3.
TEST_F(FlushTrackerTest, TheEndOfTheNewestDoneTransactionIsConfirmed) {
  const Ticket first = transaction(20, 1);
  const Ticket second = transaction(30, 1);
  const Ticket third = transaction(40, 1);
  tracker_.acked(first);
  EXPECT_EQ(flush(), 20u);
  tracker_.acked(third);
  EXPECT_EQ(flush(), 20u);
  tracker_.acked(second);
  EXPECT_EQ(flush(), 40u);
}

// Rule 4.
TEST_F(FlushTrackerTest, KeepaliveDoesNotPassUnackedTransaction) {
  const Ticket ticket = transaction(20, 1);
  tracker_.keepalive(Lsn(50));
  EXPECT_EQ(flush(), 10u);
  tracker_.acked(ticket);
  EXPECT_EQ(flush(), 50u);
}

TEST_F(FlushTrackerTest, KeepaliveIsConfirmedAtOnceWhenNothingIsOnItsWay) {
  tracker_.keepalive(Lsn(50));
  EXPECT_EQ(flush(), 50u);
}

TEST_F(FlushTrackerTest, KeepaliveWithinATransactionIsIgnored) {
  const Ticket ticket = open(1);
  tracker_.keepalive(Lsn(50));
  EXPECT_EQ(flush(), 10u);
  EXPECT_EQ(tracker_.received_lsn(), Lsn(10));
  tracker_.commit(Lsn(60));
  tracker_.acked(ticket);
  EXPECT_EQ(flush(), 60u);
}

TEST_F(FlushTrackerTest, KeepaliveBehindAnOpenTransactionDoesNotConfirmIt) {
  const Ticket done = transaction(20, 1);
  (void)open(1);
  tracker_.keepalive(Lsn(50));
  tracker_.acked(done);
  EXPECT_EQ(flush(), 20u);
}

TEST_F(FlushTrackerTest, KeepaliveAfterALaterTransactionWaitsForThatOne) {
  const Ticket first = transaction(20, 1);
  tracker_.keepalive(Lsn(25));
  const Ticket second = transaction(30, 1);
  tracker_.keepalive(Lsn(35));
  tracker_.acked(first);
  EXPECT_EQ(flush(), 25u);
  tracker_.acked(second);
  EXPECT_EQ(flush(), 35u);
}

// Rule 5.
TEST_F(FlushTrackerTest, EmptyTransactionWaitsForThoseBeforeIt) {
  const Ticket ticket = transaction(20, 1);
  (void)transaction(30, 0);
  EXPECT_EQ(flush(), 10u);
  tracker_.acked(ticket);
  EXPECT_EQ(flush(), 30u);
}

TEST_F(FlushTrackerTest, EmptyTransactionsTakeNoPlaceInTheRing) {
  (void)transaction(20, 1);
  for (std::uint64_t i = 0; i < 2 * FlushTracker::kCapacity; ++i) (void)transaction(30 + i, 0);
  EXPECT_EQ(tracker_.size(), 1u);
  EXPECT_EQ(flush(), 10u);
}

TEST_F(FlushTrackerTest, ATransactionAckedBeforeItsCommitWaitsForThoseBeforeIt) {
  const Ticket first = transaction(20, 1);
  const Ticket second = open(1);
  tracker_.acked(second);
  tracker_.commit(Lsn(30));
  EXPECT_EQ(flush(), 10u);
  tracker_.acked(first);
  EXPECT_EQ(flush(), 30u);
}

// Rule 6.
TEST_F(FlushTrackerTest, WhatIsNeverAckedHoldsTheLine) {
  (void)transaction(20, 1);
  for (int i = 0; i < 100; ++i) tracker_.acked(transaction(30, 1));
  EXPECT_EQ(flush(), 10u);
}

// Rule 7.
TEST_F(FlushTrackerTest, TheFlushPositionNeverGoesBack) {
  tracker_.keepalive(Lsn(50));
  tracker_.keepalive(Lsn(40));
  EXPECT_EQ(flush(), 50u);
  (void)transaction(30, 0);
  EXPECT_EQ(flush(), 50u);
  tracker_.acked(transaction(35, 1));
  EXPECT_EQ(flush(), 50u);
  const Ticket ticket = transaction(60, 1);
  tracker_.keepalive(Lsn(55));
  tracker_.acked(ticket);
  EXPECT_EQ(flush(), 60u);
}

TEST_F(FlushTrackerTest, TheFlushPositionNeverExceedsWhatWasReceived) {
  tracker_.acked(transaction(20, 1));
  EXPECT_EQ(tracker_.received_lsn(), Lsn(20));
  tracker_.keepalive(Lsn(30));
  EXPECT_EQ(tracker_.received_lsn(), Lsn(30));
  EXPECT_LE(tracker_.flush_lsn(), tracker_.received_lsn());
}

TEST_F(FlushTrackerTest, AFullRingStopsTheReader) {
  std::vector<Ticket> tickets;
  for (std::uint64_t i = 0; i < FlushTracker::kCapacity; ++i) {
    EXPECT_FALSE(tracker_.full());
    tickets.push_back(transaction(20 + i, 1));
  }
  EXPECT_TRUE(tracker_.full());
  tracker_.keepalive(Lsn(1'000'000));
  for (const Ticket ticket : tickets) tracker_.acked(ticket);
  EXPECT_FALSE(tracker_.full());
  EXPECT_EQ(flush(), 1'000'000u);
}

TEST_F(FlushTrackerTest, TheRingWrapsAround) {
  Ticket last = transaction(20, 2);
  for (std::uint64_t i = 0; i < 3 * FlushTracker::kCapacity; ++i) {
    const Ticket next = transaction(30 + i, 2);
    tracker_.acked(last);
    tracker_.acked(last);
    EXPECT_EQ(flush(), i == 0 ? 20 : 29 + i);
    last = next;
  }
}

TEST_F(FlushTrackerTest, RecordsOfAnOpenTransactionAreCountedWithoutLimit) {
  const Ticket ticket = tracker_.begin(PgTimestamp(1));
  for (std::uint64_t i = 0; i < 3 * FlushTracker::kCapacity; ++i) tracker_.sent();
  EXPECT_EQ(tracker_.size(), 1u);
  for (std::uint64_t i = 0; i < 3 * FlushTracker::kCapacity; ++i) tracker_.acked(ticket);
  tracker_.commit(Lsn(20));
  EXPECT_EQ(flush(), 20u);
}

TEST_F(FlushTrackerTest, TicketsOfTheTrackerBeforeAreIgnored) {
  const Ticket old = open(2);
  tracker_ = FlushTracker(tracker_.next_ticket(), Lsn(10));
  const Ticket again = transaction(20, 2);
  EXPECT_GT(again, old);
  tracker_.acked(old);
  tracker_.acked(old);
  EXPECT_EQ(flush(), 10u);
  EXPECT_EQ(tracker_.commit_time(old), std::nullopt);
  tracker_.acked(again);
  tracker_.acked(again);
  EXPECT_EQ(flush(), 20u);
}

TEST_F(FlushTrackerTest, KnowsTheCommitTimesOfWhatIsNotDone) {
  EXPECT_EQ(tracker_.oldest_commit_time(), std::nullopt);
  const Ticket first = tracker_.begin(PgTimestamp(5));
  EXPECT_EQ(tracker_.oldest_commit_time(), PgTimestamp(5));
  tracker_.sent();
  tracker_.commit(Lsn(20));
  const Ticket second = tracker_.begin(PgTimestamp(6));
  EXPECT_EQ(tracker_.commit_time(first), PgTimestamp(5));
  EXPECT_EQ(tracker_.commit_time(second), PgTimestamp(6));
  tracker_.acked(first);
  EXPECT_EQ(tracker_.commit_time(first), std::nullopt);
  EXPECT_EQ(tracker_.oldest_commit_time(), PgTimestamp(6));
}

TEST_F(FlushTrackerDeathTest, AnAckThatNobodyWaitsForEndsTheProcess) {
  const Ticket ticket = transaction(20, 1);
  tracker_.acked(ticket);
  EXPECT_EXIT(tracker_.acked(ticket), testing::ExitedWithCode(1), "CHECK");
  EXPECT_EXIT(tracker_.acked(Ticket{99}), testing::ExitedWithCode(1), "CHECK");
}

TEST_F(FlushTrackerDeathTest, TransactionsDoNotNest) {
  (void)open(0);
  EXPECT_EXIT((void)tracker_.begin(PgTimestamp(1)), testing::ExitedWithCode(1), "CHECK");
}

}  // namespace
}  // namespace walpost
