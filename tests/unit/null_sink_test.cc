#include "null_sink.h"

#include <gtest/gtest.h>

#include <vector>

namespace walpost {
namespace {

TEST(NullSink, ReportsEveryRecordAtTheNextDrainAndCounts) {
  NullSink sink;
  EXPECT_EQ(sink.wait_for().at, std::nullopt);
  const Record record{.topic = "t",
                      .partition = std::nullopt,
                      .key = "key",
                      .value = "value",
                      .headers = {},
                      .timestamp_ms = 0,
                      .event_id = "1"};
  EXPECT_TRUE(sink.try_send(record, Ticket{7}));
  EXPECT_TRUE(sink.try_send(record, Ticket{8}));
  ASSERT_TRUE(sink.wait_for().at.has_value());
  EXPECT_LE(*sink.wait_for().at, std::chrono::steady_clock::now());
  std::vector<DeliveryReport> reports;
  sink.drain_reports(reports);
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].ticket, Ticket{7});
  EXPECT_EQ(reports[0].bytes, Sink::size_of(record));
  EXPECT_EQ(reports[1].ticket, Ticket{8});
  EXPECT_EQ(sink.record_count(), 2U);
  EXPECT_EQ(sink.bytes(), 16U);
  EXPECT_EQ(sink.wait_for().at, std::nullopt);
}

TEST(NullSink, RestartForgetsReports) {
  NullSink sink;
  EXPECT_TRUE(sink.try_send(Record{.topic = "t",
                                   .partition = std::nullopt,
                                   .key = std::nullopt,
                                   .value = std::nullopt,
                                   .headers = {},
                                   .timestamp_ms = 0,
                                   .event_id = "1"},
                            Ticket{1}));
  sink.restart();
  std::vector<DeliveryReport> reports;
  sink.drain_reports(reports);
  EXPECT_TRUE(reports.empty());
}

}  // namespace
}  // namespace walpost
