#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "walpost/check.h"
#include "world.h"

// WALPOST_SIM_SEEDS: how many seeds, WALPOST_SIM_SEED: only this one.

namespace walpost {
namespace {

std::uint64_t running_seed = 0;

std::string how_to_repeat(std::uint64_t seed) {
  return "WALPOST_SIM_SEED=" + std::to_string(seed) +
         " build/dev/tests/walpost_sim_tests --gtest_filter='*ChaosTest*/0'";
}

}  // namespace

// Stands in for src/core/check.cc: a failed CHECK names the seed too.
void check_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "CHECK(%s) failed at %s:%d; repeat with:\n  %s\n", condition, file, line,
               how_to_repeat(running_seed).c_str());
  std::fflush(stderr);
  std::_Exit(static_cast<int>(ExitCode::kUnexpected));
}

namespace sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::optional<std::uint64_t> from_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  return std::strtoull(text, nullptr, 10);
}

// Injects faults while work goes on.
class Chaos final {
 public:
  static constexpr std::uint64_t kSteps = 260;
  static constexpr std::uint64_t kMinFaults = 5;

  explicit Chaos(std::uint64_t seed) : world_(seed) { world_.server.write_nulls(); }

  // The first broken promise.
  std::optional<std::string> run() {
    for (step_ = 0; step_ < kSteps && !world_.violations.first(); ++step_) {
      if (!world_.is_running()) restart();
      happen();
      const bool late = fault_count_ < kMinFaults * (step_ + 1) / kSteps;
      if (late || world_.random.percent(6)) fault();
      world_.work(world_.random.below(16), is_broker_down() ? 0 : world_.random.below(12));
      world_.step(some_wait());
    }
    if (world_.is_running()) world_.process().sink.set_full(false);
    if (!world_.violations.first()) world_.settle();
    return world_.violations.first();
  }
  [[nodiscard]] std::uint64_t fault_count() const { return fault_count_; }
  [[nodiscard]] std::uint64_t step_count() const { return step_; }
  [[nodiscard]] const World& world() const { return world_; }

 private:
  [[nodiscard]] bool is_broker_down() const { return world_.clock.now() < broker_down_until_; }

  Duration some_wait() {
    constexpr milliseconds kWaits[] = {milliseconds(0), milliseconds(1), milliseconds(10),
                                       milliseconds(60), milliseconds(1'000)};
    return kWaits[world_.random.below(std::size(kWaits))];
  }

  void happen() {
    Random& random = world_.random;
    if (random.percent(35)) world_.commit_events(random.below(6), random.below(3));
    if (random.percent(3)) world_.commit_events(20 + random.below(60));
    if (random.percent(10)) world_.server.write_other_wal();
    if (random.percent(3)) world_.server.alter_outbox();
    if (random.percent(5)) world_.server.checkpoint();
    if (random.percent(20)) world_.server.notice_gone_client();
    if (random.percent(20) && world_.is_running()) world_.process().sink.set_full(false);
    if (random.percent(5)) world_.server.drop_copy_done_answer(false);
  }

  void restart() {
    // What a refused record held up was mended.
    if (world_.last_exit == ExitCode::kUndeliverable) world_.broker.poison.clear();
    if (world_.random.percent(30)) world_.start_process();
  }

  void fault() {
    ++fault_count_;
    Random& random = world_.random;
    switch (random.below(16)) {
      case 0:
        return world_.server.break_connection();
      case 1:
        return lose_in_the_middle(random.below(10));
      case 2:
        world_.server.refuse_logins(random.below(4));
        return world_.server.crash();
      case 3:
        return with_sink([](ModelSink& sink) { sink.lose(); });
      case 4:
        return with_sink([&](ModelSink& sink) { sink.lose_after_sends(random.below(6)); });
      case 5:
        return with_sink([](ModelSink& sink) { sink.set_full(true); });
      case 6:
        return world_.kill_process();
      case 7:
      case 8:
        return stop();
      case 9:
        return world_.stall(milliseconds(random.below(20'000)));
      case 10:
        world_.commit_events(1);
        world_.broker.poison.insert(world_.committed_count() - 1);
        return;
      case 11:
        broker_down_until_ = world_.clock.now() + milliseconds(random.below(15'000));
        return;
      case 12:
        world_.promoted = true;
        return world_.server.promote();
      case 13:
        return with_sink([](ModelSink& sink) { sink.refuse_next_send(); });
      case 14:
        return world_.server.drop_copy_done_answer(true);
      default:
        // Both sides at once.
        with_sink([](ModelSink& sink) { sink.lose(); });
        return lose_in_the_middle(random.below(3));
    }
  }

  void lose_in_the_middle(std::uint64_t frames) {
    if (world_.is_running()) world_.process().source.lose_after_frames(frames);
  }
  template <typename Call>
  void with_sink(Call&& call) {
    if (world_.is_running()) call(world_.process().sink);
  }
  void stop() {
    if (world_.is_running()) world_.process().pipeline.stop();
  }

  World world_;
  std::uint64_t step_ = 0;
  std::uint64_t fault_count_ = 0;
  TimePoint broker_down_until_{};
};

constexpr std::uint64_t kShards = 4;

class ChaosTest : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ChaosTest, EveryPromiseHolds) {
  const auto only = from_environment("WALPOST_SIM_SEED");
  const std::uint64_t seed_count = from_environment("WALPOST_SIM_SEEDS").value_or(3'000);
  std::uint64_t faults = 0;
  for (std::uint64_t seed = GetParam(); seed < seed_count || only; seed += kShards) {
    running_seed = only.value_or(seed);
    Chaos chaos(running_seed);
    const auto violation = chaos.run();
    ASSERT_FALSE(violation) << "seed " << running_seed << ", step " << chaos.step_count() << ": "
                            << *violation << "\nrepeat with:\n  " << how_to_repeat(running_seed);
    ASSERT_GE(chaos.fault_count(), Chaos::kMinFaults);
    ASSERT_GE(chaos.step_count(), 200u);
    ASSERT_GT(chaos.world().broker.appended(), 0u);
    faults += chaos.fault_count();
    if (only) break;
  }
  RecordProperty("faults", std::to_string(faults));
}

INSTANTIATE_TEST_SUITE_P(Sim, ChaosTest, testing::Range<std::uint64_t>(0, kShards));

}  // namespace
}  // namespace sim
}  // namespace walpost
