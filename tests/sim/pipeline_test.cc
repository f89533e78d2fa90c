#include "walpost/pipeline.h"

#include <gtest/gtest.h>

#include "world.h"

namespace walpost::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// One situation each, without chance in what happens (only in how the models pace their work).
class PipelineTest : public testing::Test {
 protected:
  PipelineTest() {
    world_.options.max_in_flight_records = 1'000;
    world_.options.max_in_flight_bytes = 1'000'000;
  }
  ~PipelineTest() override { EXPECT_EQ(world_.violations.first(), std::nullopt); }

  // Steps with the server at work and the broker silent, so that records stay on their way.
  void receive(int step_count = 20) {
    for (int i = 0; i < step_count; ++i) {
      world_.work(20, 0);
      world_.step(milliseconds(10));
    }
  }
  void start_and_stream() {
    world_.start_process();
    receive();
    ASSERT_EQ(state(), PipelineState::kStreaming);
  }
  PipelineState state() { return world_.process().stats.state; }
  Pipeline& pipeline() { return world_.process().pipeline; }

  World world_{1};
};

TEST_F(PipelineTest, WithoutFaultsNothingComesTwice) {
  world_.start_process();
  for (int i = 0; i < 200; ++i) {
    world_.commit_events(3);
    world_.work(20, 20);
    world_.step(milliseconds(10));
  }
  world_.settle();
  EXPECT_TRUE(world_.everything_arrived());
  EXPECT_EQ(world_.repeats, 0u);
}

TEST_F(PipelineTest, AStopWaitsForWhatIsOnItsWay) {
  start_and_stream();
  world_.commit_events(5);
  receive();
  pipeline().stop();
  receive();
  ASSERT_TRUE(world_.is_running());
  world_.run_until_stopped(100);
  EXPECT_EQ(world_.last_exit, ExitCode::kOk);
  EXPECT_TRUE(world_.everything_arrived());
}

TEST_F(PipelineTest, AStopWithinATransactionReadsOnToItsCommit) {
  start_and_stream();
  world_.commit_events(50);
  world_.commit_events(50);
  for (int i = 0; i < 10; ++i) {  // the first transaction in part, and all of that acknowledged
    world_.work(2, 0);
    world_.step(milliseconds(0));
  }
  world_.work(0, 200);
  world_.step(milliseconds(0));
  ASSERT_GT(world_.broker.appended(), 0u);
  ASSERT_EQ(world_.process().sink.in_flight_records(), 0u);
  pipeline().stop();
  world_.step(milliseconds(0));
  world_.run_until_stopped(1'000);
  EXPECT_EQ(world_.last_exit, ExitCode::kOk);
  EXPECT_EQ(world_.broker.stored().size(), 50u) << "and begins no other";
}

TEST_F(PipelineTest, AStopGivesUpAfterTheDrainTimeout) {
  start_and_stream();
  world_.commit_events(5);
  receive();
  pipeline().stop();
  const TimePoint stopped_at = world_.clock.now();
  for (int i = 0; i < 1'000 && world_.is_running(); ++i) {
    world_.work(20, 0);
    world_.step(milliseconds(100));
  }
  EXPECT_EQ(world_.last_exit, ExitCode::kDrainDeadline);
  EXPECT_LE(world_.clock.now() - stopped_at, world_.options.drain_timeout + seconds(1));
}

TEST_F(PipelineTest, AStopBeforeTheFirstConnectionIsClean) {
  world_.server.refuse_logins(1'000);
  world_.start_process();
  receive(3);
  pipeline().stop();
  receive(1);
  EXPECT_EQ(world_.last_exit, ExitCode::kOk);
}

TEST_F(PipelineTest, AStopAfterATransactionWasCutOffIsNotClean) {
  start_and_stream();
  world_.commit_events(5);
  world_.process().source.lose_after_frames(4);  // its Begin, the Relation, two events
  world_.server.refuse_logins(1'000);
  world_.work(20, 0);
  world_.step(milliseconds(0));
  world_.step(milliseconds(0));
  world_.work(0, 100);
  pipeline().stop();
  world_.run_until_stopped(1'000);
  ASSERT_GT(world_.broker.appended(), 0u);
  EXPECT_EQ(world_.last_exit, ExitCode::kDrainDeadline) << "these events come again";
}

TEST_F(PipelineTest, AStopAfterTheSinksClientWasLostIsNotClean) {
  start_and_stream();
  world_.commit_events(5);
  receive();
  pipeline().stop();
  world_.process().sink.lose();
  world_.run_until_stopped(1'000);
  EXPECT_EQ(world_.last_exit, ExitCode::kDrainDeadline) << "these events come again";
}

TEST_F(PipelineTest, AStopWhoseLastPositionGotLostConnectsAgainToConfirmIt) {
  start_and_stream();
  world_.commit_events(5);
  receive();
  world_.work(0, 100);
  world_.step(milliseconds(0));
  pipeline().stop();
  world_.step(milliseconds(0));
  world_.server.crash();  // with the position still on the wire
  world_.run_until_stopped(1'000);
  EXPECT_EQ(world_.last_exit, ExitCode::kOk);
  EXPECT_EQ(world_.server.confirmed(), world_.server.wal_end());
}

TEST_F(PipelineTest, AServerThatDoesNotAnswerCopyDoneLeavesTheEndUnclean) {
  start_and_stream();
  world_.commit_events(5);
  receive();
  world_.server.drop_copy_done_answer(true);
  world_.server.refuse_logins(1'000'000);
  pipeline().stop();
  world_.run_until_stopped(2'000);
  EXPECT_EQ(world_.last_exit, ExitCode::kDrainDeadline) << "nothing shows what it confirmed";
}

TEST_F(PipelineTest, AServerThatHangsAtTheEndLeavesItUnclean) {
  start_and_stream();
  world_.commit_events(5);
  receive();
  world_.work(0, 100);
  pipeline().stop();
  for (int i = 0; i < 1'000 && world_.is_running(); ++i) world_.step(milliseconds(100));
  EXPECT_EQ(world_.last_exit, ExitCode::kDrainDeadline) << "it may not have the last position";
}

TEST_F(PipelineTest, AServerThatAsksIsAnsweredAtOnce) {
  start_and_stream();
  auto& session = world_.server.session();
  session.to_server.clear();
  session.to_client.push_back(wire::keepalive(session.sent_lsn, true));
  world_.step(milliseconds(0));
  EXPECT_EQ(session.to_server.size(), 1u);
}

TEST_F(PipelineTest, ASettlingPipelineObeysTheDrainTimeout) {
  world_.options.drain_timeout = milliseconds(500);
  start_and_stream();
  world_.commit_events(5);
  receive();
  world_.server.crash();
  world_.step(milliseconds(0));
  ASSERT_EQ(state(), PipelineState::kSettling);
  pipeline().stop();
  const TimePoint stopped_at = world_.clock.now();
  for (int i = 0; i < 100 && world_.is_running(); ++i) world_.step(milliseconds(50));
  EXPECT_EQ(world_.last_exit, ExitCode::kDrainDeadline);
  EXPECT_LE(world_.clock.now() - stopped_at, seconds(1));
}

TEST_F(PipelineTest, WhatSettlesBeforeAReconnectDoesNotComeTwice) {
  start_and_stream();
  world_.commit_events(5);
  receive();
  world_.server.checkpoint();
  world_.server.crash();
  world_.step(milliseconds(0));
  world_.settle();
  EXPECT_EQ(world_.repeats, 0u);
}

TEST_F(PipelineTest, AReportOfAnOldConnectionDoesNotConfirmTheNewOne) {
  start_and_stream();
  world_.commit_events(5);
  receive();
  world_.server.crash();
  for (int i = 0; i < 300; ++i) {  // settling is given up, and the stream begins anew
    world_.work(20, 0);
    world_.step(milliseconds(100));
  }
  ASSERT_EQ(world_.process().sink.in_flight_records(), 10u) << "the old and the new";
  world_.settle();
  EXPECT_EQ(world_.repeats, 5u);
}

TEST_F(PipelineTest, ARefusedRecordEndsTheProcessAndHoldsItsKey) {
  start_and_stream();
  world_.commit_events(1);
  world_.broker.poison.insert(0);
  for (int i = 0; i < 5; ++i) world_.commit_events(3);
  world_.run_until_stopped(1'000);
  EXPECT_EQ(world_.last_exit, ExitCode::kUndeliverable);
  EXPECT_FALSE(world_.broker.has(0));
  EXPECT_LT(world_.server.confirmed(), world_.server.wal()[0].end_lsn);
  world_.settle();
  EXPECT_TRUE(world_.everything_arrived());
}

TEST_F(PipelineTest, ARecordThatTheSinkDoesNotTakeEndsTheProcess) {
  start_and_stream();
  world_.process().sink.refuse_next_send();
  world_.commit_events(3);
  world_.run_until_stopped(1'000);
  EXPECT_EQ(world_.last_exit, ExitCode::kUndeliverable);
}

TEST_F(PipelineTest, AnIdleOutboxFollowsOtherWal) {
  start_and_stream();
  for (int i = 0; i < 50; ++i) {
    world_.server.write_other_wal();
    world_.work(20, 0);
    world_.step(milliseconds(100));
    world_.work(20, 0);
    world_.step(milliseconds(100));
  }
  receive();
  EXPECT_EQ(world_.server.confirmed(), world_.server.wal_end());
}

TEST_F(PipelineTest, StatusGoesOutWhileTheSinkIsFull) {
  start_and_stream();
  world_.process().sink.set_full(true);
  for (int i = 0; i < 10; ++i) world_.commit_events(5);
  for (int i = 0; i < 200; ++i) {
    world_.work(20, 0);
    world_.step(milliseconds(500));
  }
  EXPECT_EQ(world_.server.timed_out_sessions(), 0u);
  EXPECT_EQ(world_.process().stats.reconnects, 0u);
}

TEST_F(PipelineTest, ASilentServerIsGivenUp) {
  start_and_stream();
  for (int i = 0; i < 20; ++i) world_.step(milliseconds(500));
  EXPECT_EQ(world_.process().stats.errors[static_cast<std::size_t>(ErrorKind::kPostgres)], 1u);
  world_.settle();
  EXPECT_EQ(world_.process().stats.reconnects, 1u);
}

TEST_F(PipelineTest, WithoutPostgresLongerThanTheLimitEndsTheProcess) {
  world_.options.reconnect_timeout = seconds(5);
  world_.server.refuse_logins(1'000'000);
  Process process(world_.server, world_.broker, world_.clock, world_.random, world_.violations,
                  world_.options);
  const auto run = [&] {
    for (int i = 0; i < 1'000; ++i) {
      process.pipeline.step();
      world_.clock.advance(milliseconds(100));
    }
  };
  try {
    run();
    FAIL() << "it never gave up";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::kPostgresUnreachable);
    EXPECT_FALSE(error.is_retryable());
  }
}

TEST_F(PipelineTest, EndsOnceTheEndPositionIsDelivered) {
  for (int i = 0; i < 5; ++i) world_.commit_events(2);
  world_.options.end_position = EndPosition{world_.server.wal()[2].end_lsn};
  world_.start_process();
  world_.run_until_stopped(1'000);
  EXPECT_EQ(world_.last_exit, ExitCode::kOk);
  EXPECT_EQ(world_.broker.stored().size(), 6u);
  EXPECT_GE(world_.server.confirmed(), world_.server.wal()[2].end_lsn);
  EXPECT_LE(world_.server.confirmed(), world_.server.wal()[3].commit_lsn);
}

TEST_F(PipelineTest, EndPositionNowIsReachedOnAnIdleServer) {
  world_.commit_events(2);
  world_.server.write_other_wal();
  world_.options.end_position = EndPosition{};
  world_.start_process();
  world_.run_until_stopped(1'000);
  EXPECT_EQ(world_.last_exit, ExitCode::kOk);
  EXPECT_TRUE(world_.everything_arrived());
}

TEST_F(PipelineTest, AStopBoundsTheWaitAtTheEndPosition) {
  world_.commit_events(2);
  world_.options.end_position = EndPosition{};
  world_.start_process();
  receive();
  ASSERT_EQ(state(), PipelineState::kDraining);
  pipeline().stop();
  for (int i = 0; i < 1'000 && world_.is_running(); ++i) {
    world_.work(20, 0);
    world_.step(milliseconds(100));
  }
  EXPECT_EQ(world_.last_exit, ExitCode::kDrainDeadline);
}

TEST_F(PipelineTest, AConnectionLostAtTheEndPositionIsMadeAgain) {
  world_.commit_events(2);
  world_.options.end_position = EndPosition{};
  world_.start_process();
  receive();
  ASSERT_EQ(state(), PipelineState::kDraining);
  world_.server.crash();
  world_.run_until_stopped(1'000);
  EXPECT_EQ(world_.last_exit, ExitCode::kOk);
  EXPECT_EQ(world_.repeats, 0u);
}

}  // namespace
}  // namespace walpost::sim
