#include "process_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "display_text.h"
#include "progress_line.h"

namespace walpost {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class FakeClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return time; }
  [[nodiscard]] PgTimestamp wall_now() const override { return wall_time; }

  TimePoint time{seconds(1'000)};
  PgTimestamp wall_time{5'000'000};
};

class ProcessViewTest : public testing::Test {
 protected:
  // A process that streams and has everything acknowledged.
  ProcessViewTest() {
    stats_.state = PipelineState::kStreaming;
    stats_.sink_reachable = true;
    stats_.received_lsn = 0x16'B374'D848;
    read_position(0x16'B374'D848);
    beat();
  }

  void read_position(std::uint64_t lsn) {
    SlotStatus slot;
    slot.current_lsn = Lsn(lsn);
    slot_gauges_.store(slot);
  }

  void beat() { stats_.heartbeat_ns = clock_.time.time_since_epoch().count(); }

  rapidjson::Document status() {
    rapidjson::Document document;
    document.Parse(status_json(view_).c_str());
    EXPECT_FALSE(document.HasParseError());
    return document;
  }

  FakeClock clock_;
  Stats stats_;
  SlotGauges slot_gauges_;
  RecentErrors recent_errors_;
  ProcessView view_{stats_, slot_gauges_, recent_errors_, clock_, "shop", "pub", "db", 1'000};
};

TEST_F(ProcessViewTest, LagTimeIsTheAgeOfTheOldestUnacknowledgedCommit) {
  EXPECT_EQ(lag_time(view_), microseconds(0));
  stats_.oldest_unacked_commit_time = 3'000'000;
  EXPECT_EQ(lag_time(view_), microseconds(2'000'000));
  stats_.oldest_unacked_commit_time = 9'000'000;  // the server's clock is ahead
  EXPECT_EQ(lag_time(view_), microseconds(0));
}

TEST_F(ProcessViewTest, LagTimeIsUnknownAndNotZeroWhileTheServerIsAhead) {
  read_position(0x16'B400'0000);
  EXPECT_EQ(lag_time(view_), microseconds(0)) << "it may be on its way";
  read_position(0x16'B400'0000);
  EXPECT_EQ(lag_time(view_), std::nullopt);
  EXPECT_TRUE(status()["lag_seconds"].IsNull());
  stats_.received_lsn = 0x16'B400'0000 - 8'192;
  EXPECT_EQ(lag_time(view_), microseconds(0)) << "an incomplete record at the end of a page";
  stats_.received_lsn = 0x16'B400'0000 - 8'193;
  EXPECT_EQ(lag_time(view_), std::nullopt);
}

TEST_F(ProcessViewTest, LagTimeIsUnknownUntilTheServersPositionIs) {
  slot_gauges_.forget();
  EXPECT_EQ(lag_time(view_), std::nullopt);
}

TEST_F(ProcessViewTest, LagTimeIsUnknownAndNotZeroWhileNothingIsStreamed) {
  stats_.state = PipelineState::kConnecting;
  EXPECT_EQ(lag_time(view_), std::nullopt);
  EXPECT_TRUE(status()["lag_seconds"].IsNull());
  EXPECT_THAT(metrics_text(view_), Not(HasSubstr("walpost_oldest_unacknowledged_seconds")));
}

TEST_F(ProcessViewTest, HealthIsTheHeartbeat) {
  clock_.time += seconds(30);
  EXPECT_THAT(health_problems(view_), ElementsAre());
  clock_.time += seconds(1);
  EXPECT_THAT(health_problems(view_), ElementsAre("the loop has not turned for 31 s"));
}

TEST_F(ProcessViewTest, ReadinessSaysWhyNot) {
  EXPECT_THAT(readiness_problems(view_), ElementsAre());
  stats_.sink_reachable = false;
  EXPECT_THAT(readiness_problems(view_), ElementsAre("the sink cannot be reached"));
  stats_.sink_reachable = true;
  stats_.state = PipelineState::kConnecting;
  EXPECT_THAT(readiness_problems(view_), ElementsAre("PostgreSQL does not stream: connecting"));
  stats_.standby = true;
  stats_.sink_reachable = false;
  EXPECT_THAT(readiness_problems(view_), ElementsAre()) << "it stands by for another process";
  clock_.time += seconds(31);
  EXPECT_THAT(readiness_problems(view_), ElementsAre("the loop has not turned for 31 s"));
}

TEST_F(ProcessViewTest, ReadinessEndsBeyondTheAllowedLag) {
  slot_gauges_.lag_bytes = 1'000;
  EXPECT_THAT(readiness_problems(view_), ElementsAre());
  slot_gauges_.lag_bytes = 1'001;
  EXPECT_THAT(readiness_problems(view_),
              ElementsAre("slot shop is 1001 bytes behind, more than the 1000 of --max-slot-lag"));
}

TEST_F(ProcessViewTest, ReadinessEndsWithALostSlot) {
  SlotStatus slot;
  slot.wal_status = "lost";
  slot_gauges_.store(slot);
  EXPECT_THAT(readiness_problems(view_), ElementsAre("slot shop is lost"));
}

TEST_F(ProcessViewTest, StatusTellsWhatIsKnown) {
  SlotStatus slot;
  slot.current_lsn = Lsn(0x16'B374'D848);
  slot.lag_bytes = 512;
  slot.retained_bytes = 4096;
  slot.safe_wal_size = -7;
  slot.wal_status = "unreserved";
  slot_gauges_.store(slot);
  slot_gauges_.store_system_identifier("7301234567890123456");
  stats_.in_flight_records = 3;
  recent_errors_.noting([](auto, auto, auto) {})(LogLevel::kError, "connection lost",
                                                 {{"error", "x"}});
  const rapidjson::Document document = status();
  EXPECT_STREQ(document["slot"].GetString(), "shop");
  EXPECT_STREQ(document["state"].GetString(), "streaming");
  EXPECT_STREQ(document["system_identifier"].GetString(), "7301234567890123456");
  EXPECT_STREQ(document["received_lsn"].GetString(), "16/B374D848");
  EXPECT_EQ(document["lag_bytes"].GetInt64(), 512);
  EXPECT_EQ(document["lag_seconds"].GetDouble(), 0.0);
  EXPECT_EQ(document["safe_wal_bytes"].GetInt64(), -7);
  EXPECT_STREQ(document["wal_status"].GetString(), "unreserved");
  EXPECT_EQ(document["in_flight_records"].GetUint64(), 3U);
  EXPECT_STREQ(document["last_errors"][0]["text"].GetString(), "connection lost error=x");
}

TEST_F(ProcessViewTest, StatusHasNullForWhatIsNotKnown) {
  const rapidjson::Document document = status();
  EXPECT_TRUE(document["lag_bytes"].IsNull());
  EXPECT_TRUE(document["safe_wal_bytes"].IsNull());
  EXPECT_STREQ(document["wal_status"].GetString(), "unknown");
}

TEST_F(ProcessViewTest, SlotThatIsNotKnownHasNoSample) {
  EXPECT_THAT(metrics_text(view_), Not(HasSubstr("walpost_slot_lag_bytes")));
  slot_gauges_.lag_bytes = 0;
  EXPECT_THAT(metrics_text(view_), HasSubstr("walpost_slot_lag_bytes{slot=\"shop\"} 0\n"));
  slot_gauges_.forget();
  EXPECT_THAT(metrics_text(view_), Not(HasSubstr("walpost_slot_lag_bytes")));
}

TEST_F(ProcessViewTest, HistogramIsCumulative) {
  stats_.commit_to_ack_buckets[0] = 2;
  stats_.commit_to_ack_buckets[2] = 1;
  stats_.commit_to_ack_buckets[kCommitToAckBoundsUs.size()] = 1;
  stats_.commit_to_ack_sum_us = 2'500'000;
  const std::string text = metrics_text(view_);
  EXPECT_THAT(text, HasSubstr("walpost_commit_to_ack_seconds_bucket{le=\"0.001\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("walpost_commit_to_ack_seconds_bucket{le=\"0.005\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("walpost_commit_to_ack_seconds_bucket{le=\"0.1\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("walpost_commit_to_ack_seconds_bucket{le=\"+Inf\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("walpost_commit_to_ack_seconds_count 4\n"));
  EXPECT_THAT(text, HasSubstr("walpost_commit_to_ack_seconds_sum 2.5\n"));
}

TEST_F(ProcessViewTest, NamesThatDashboardsRelyOnAreThere) {
  slot_gauges_.lag_bytes = 1;
  slot_gauges_.retained_bytes = 1;
  slot_gauges_.safe_wal_bytes = 1;
  const std::string text = metrics_text(view_);
  for (const char* name :
       {"walpost_slot_lag_bytes", "walpost_slot_retained_wal_bytes", "walpost_slot_safe_wal_bytes",
        "walpost_in_flight_records", "walpost_in_flight_bytes", "walpost_events_total",
        "walpost_dead_letters_total", "walpost_reconnects_total",
        "walpost_commit_to_ack_seconds"}) {
    EXPECT_THAT(text, HasSubstr(std::string("# TYPE ") + name + " "));
  }
}

TEST_F(ProcessViewTest, TheReadmeNamesEveryMetric) {
  slot_gauges_.lag_bytes = 1;
  slot_gauges_.retained_bytes = 1;
  slot_gauges_.safe_wal_bytes = 1;
  std::ifstream file(WALPOST_SOURCE_DIR "/README.md");
  const std::string readme(std::istreambuf_iterator<char>(file), {});
  std::istringstream lines(metrics_text(view_));
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("# TYPE ")) continue;
    const std::string name = line.substr(7, line.find(' ', 7) - 7);
    EXPECT_THAT(readme, HasSubstr("`" + name));
    ++count;
  }
  EXPECT_GT(count, 20);
}

TEST_F(ProcessViewTest, ProgressShowsRateAndLatencyOfTheLastSecond) {
  stats_.events = 1'000;
  stats_.commit_to_ack_buckets[9] = 1'000;  // an earlier hiccup
  const ProgressSample before = sample(view_);
  clock_.time += seconds(2);
  stats_.events = 1'204'551;
  stats_.in_flight_records = 8'192;
  slot_gauges_.lag_bytes = 1'258'291;
  stats_.oldest_unacked_commit_time = 4'700'000;
  stats_.commit_to_ack_buckets[3] = 990;
  stats_.commit_to_ack_buckets[4] = 10;
  EXPECT_EQ(progress_text(before, sample(view_), 200),
            "streaming  1,204,551 events  601,776/s  lag 1.2 MiB 300ms  in flight 8,192  p99 < "
            "10ms");
  stats_.commit_to_ack_buckets[4] = 11;
  EXPECT_EQ(p99_bound(before, sample(view_)), microseconds(25'000));
  EXPECT_EQ(progress_text(before, sample(view_), 9), "streaming");
}

TEST_F(ProcessViewTest, ProgressWithoutKnowledgeSaysSo) {
  stats_.state = PipelineState::kConnecting;
  const ProgressSample now = sample(view_);
  EXPECT_EQ(progress_text(now, now, 200), "connecting  0 events  0/s  lag unknown  in flight 0");
}

TEST_F(ProcessViewTest, ProgressLineIsOffWhereThereIsNoTerminal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  EXPECT_EQ(ProgressLine(ProgressMode::kAuto, ends[1], view_).due(), std::nullopt);
  EXPECT_EQ(ProgressLine(ProgressMode::kNever, ends[1], view_).due(), std::nullopt);
  {
    ProgressLine line(ProgressMode::kAlways, ends[1], view_);
    ASSERT_EQ(line.due(), clock_.time + seconds(1));
    line.draw_if_due();  // not yet
    clock_.time += seconds(1);
    line.draw_if_due();
    EXPECT_EQ(line.due(), clock_.time + seconds(1));
  }
  ::close(ends[1]);
  std::array<char, 4096> buffer{};
  const ssize_t size = ::read(ends[0], buffer.data(), buffer.size());
  ::close(ends[0]);
  ASSERT_GT(size, 0);
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(size)),
            "\r\x1b[Kstreaming  0 events  0/s  lag unknown 0ms  in flight 0\n");
}

TEST(DisplayTextTest, Counts) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1'000), "1,000");
  EXPECT_EQ(count_text(1'234'567), "1,234,567");
}

TEST(DisplayTextTest, Bytes) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1'023), "1023 B");
  EXPECT_EQ(bytes_text(1'536), "1.5 KiB");
  EXPECT_EQ(bytes_text(-3 * (std::int64_t{1} << 30)), "-3.0 GiB");
}

TEST(DisplayTextTest, Durations) {
  EXPECT_EQ(duration_text(microseconds(0)), "0ms");
  EXPECT_EQ(duration_text(microseconds(2'500'000)), "2.5s");
  EXPECT_EQ(duration_text(seconds(185)), "3m05s");
  EXPECT_EQ(duration_text(seconds(94'200)), "26h10m");
}

}  // namespace
}  // namespace walpost
