#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "http_server.h"
#include "status_report.h"

namespace walpost {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A slot that a healthy walpost streams from.
StatusReport healthy() {
  StatusReport report;
  report.slot = "walpost";
  report.publication = "walpost";
  report.database = "shop";
  report.server_version = "16.1";
  report.slot_status.exists = true;
  report.slot_status.active = true;
  report.slot_status.holder = SlotHolder{4711, "app", "walpost", "10.0.0.7"};
  report.slot_status.current_lsn = Lsn(0x3000);
  report.slot_status.confirmed_flush_lsn = Lsn(0x2000);
  report.slot_status.restart_lsn = Lsn(0x1000);
  report.slot_status.lag_bytes = 0x1000;
  report.slot_status.retained_bytes = 0x2000;
  report.slot_status.wal_status = "reserved";
  report.slot_status.max_slot_wal_keep_size_mb = -1;
  report.process = ProcessStatus{};
  report.process->slot = "walpost";
  report.process->state = "streaming";
  report.process->ready = true;
  report.process->sink_reachable = true;
  report.process->lag_seconds = 0.25;
  report.process->in_flight_records = 12;
  return report;
}

StatusReport judged(StatusReport report, const Options& options = {}) {
  judge(report, options);
  return report;
}

TEST(StatusVerdictTest, HealthySlotIsOk) {
  const StatusReport report = judged(healthy());
  EXPECT_EQ(report.verdict, Verdict::kOk);
  EXPECT_THAT(report.reasons, ElementsAre());
}

TEST(StatusVerdictTest, LagBeyondItsLimits) {
  Options options;
  options.warn_lag_bytes = 0x1000;
  options.max_lag_bytes = 0x2000;
  StatusReport report = healthy();
  EXPECT_EQ(judged(report, options).verdict, Verdict::kOk);
  report.slot_status.lag_bytes = 0x1001;
  EXPECT_EQ(judged(report, options).verdict, Verdict::kWarning);
  report.slot_status.lag_bytes = 0x2001;
  EXPECT_EQ(judged(report, options).verdict, Verdict::kCritical);
  EXPECT_THAT(judged(report, options).reasons,
              ElementsAre("the lag of 8193 bytes is above the 8192 of --max-lag"));
}

TEST(StatusVerdictTest, UnknownLagIsNoGoodLag) {
  Options options;
  options.max_lag_bytes = 1;
  StatusReport report = healthy();
  report.slot_status.lag_bytes.reset();
  EXPECT_EQ(judged(report, options).verdict, Verdict::kUnknown);
  EXPECT_EQ(judged(report).verdict, Verdict::kOk);  // nobody asked
}

TEST(StatusVerdictTest, WhatIsWrongWithTheSlot) {
  StatusReport absent = healthy();
  absent.slot_status = {};
  EXPECT_THAT(judged(absent).reasons, ElementsAre("slot walpost does not exist"));
  EXPECT_EQ(judged(absent).verdict, Verdict::kCritical);

  StatusReport lost = healthy();
  lost.slot_status.wal_status = "lost";
  EXPECT_EQ(judged(lost).verdict, Verdict::kCritical);
  lost.slot_status.wal_status = "unreserved";
  EXPECT_EQ(judged(lost).verdict, Verdict::kCritical);

  StatusReport idle = healthy();
  idle.slot_status.active = false;
  EXPECT_EQ(judged(idle).verdict, Verdict::kWarning);

  StatusReport unpublished = healthy();
  unpublished.slot_status.unpublished_tables.emplace({TableName{"public", "outbox"}});
  EXPECT_THAT(judged(unpublished).reasons,
              ElementsAre("publication walpost does not send rows of \"public\".\"outbox\""));
}

TEST(StatusVerdictTest, WorstReasonComesFirst) {
  StatusReport report = healthy();
  report.slot_status.active = false;
  report.slot_status.wal_status = "lost";
  EXPECT_THAT(judged(report).reasons, ElementsAre(HasSubstr("is lost"), HasSubstr("nobody")));
}

TEST(StatusVerdictTest, ProcessWithoutProgressIsAWarning) {
  StatusReport report = healthy();
  report.process->ready = false;
  EXPECT_EQ(judged(report).verdict, Verdict::kWarning);
  report.process->sink_reachable = false;
  EXPECT_THAT(judged(report).reasons, ElementsAre("walpost cannot reach its sink"));
  report.process->standby = true;  // it is the other process that counts
  EXPECT_EQ(judged(report).verdict, Verdict::kOk);
}

TEST(StatusTextTest, ShowsWhatIsKnown) {
  EXPECT_EQ(status_text(judged(healthy())),
            "ok\n"
            "slot        walpost on shop, PostgreSQL 16.1\n"
            "lag         4.0 KiB (4096 bytes), time 250ms\n"
            "WAL kept    8.0 KiB (8192 bytes)\n"
            "wal_status  reserved\n"
            "safe WAL    without limit (max_slot_wal_keep_size is -1)\n"
            "streamed by PID 4711 (application walpost, user app, from 10.0.0.7)\n"
            "positions   confirmed 0/2000, restart 0/1000, current 0/3000\n"
            "walpost     streaming, ready; in flight 12 records (0 B), 0 events, 0 reconnects\n");
}

TEST(StatusTextTest, TimeIsUnknownAndNotZeroWithoutAProcess) {
  StatusReport report = healthy();
  report.process.reset();
  report.process_note = "does not answer at 127.0.0.1:9633";
  EXPECT_THAT(status_text(judged(report)), HasSubstr("time unknown"));
  rapidjson::Document document;
  document.Parse(status_json(judged(report)).c_str());
  ASSERT_FALSE(document.HasParseError());
  EXPECT_TRUE(document["lag_seconds"].IsNull());
  EXPECT_TRUE(document["process"].IsNull());
  EXPECT_EQ(document["lag_bytes"].GetInt64(), 4096);
}

TEST(StatusTextTest, ErrorsOfTheProcessCannotSteerTheTerminal) {
  StatusReport report = healthy();
  report.process->last_errors = {{"2026-11-30T00:00:00.000Z", "error", "lost\x1b[2J"}};
  EXPECT_THAT(status_text(judged(report)), Not(HasSubstr("\x1b")));
}

TEST(ServesSlotTest, SameNameOnAnotherServerIsAnotherSlot) {
  ProcessStatus process;
  process.slot = "walpost";
  process.system_identifier = "73";
  ServerState server;
  server.system_identifier = "73";
  EXPECT_TRUE(serves_slot(process, server, "walpost"));
  EXPECT_FALSE(serves_slot(process, server, "other"));
  server.system_identifier = "74";
  EXPECT_FALSE(serves_slot(process, server, "walpost"));
  server.system_identifier = "";
  process.system_identifier = "";
  EXPECT_FALSE(serves_slot(process, server, "walpost"));
}

// What one side writes, the other reads.
TEST(ProcessStatusTest, IsFetchedFromARunningProcess) {
  Stats stats;
  stats.state = PipelineState::kStreaming;
  stats.in_flight_records = 7;
  const SystemClock clock;
  SlotGauges gauges;
  SlotStatus slot;
  slot.current_lsn = Lsn(0x3000);
  gauges.store(slot);
  stats.received_lsn = 0x3000;
  gauges.store_system_identifier("73");
  RecentErrors errors;
  errors.noting([](auto, auto, auto) {})(LogLevel::kWarn, "lost", {});
  const ProcessView view{stats, gauges, errors, clock, "shop", "pub", "db", std::nullopt};
  const HttpServer server({"127.0.0.1", 0}, process_routes(view));
  const auto process = fetch_process_status({"127.0.0.1", server.port()});
  ASSERT_TRUE(process);
  EXPECT_EQ(process->slot, "shop");
  EXPECT_EQ(process->database, "db");
  EXPECT_EQ(process->system_identifier, "73");
  EXPECT_EQ(process->state, "streaming");
  EXPECT_EQ(process->lag_seconds, 0.0);
  EXPECT_EQ(process->in_flight_records, 7U);
  ASSERT_EQ(process->last_errors.size(), 1U);
  EXPECT_EQ(process->last_errors[0].text, "lost");
}

TEST(ProcessStatusTest, SomethingElseIsNoProcess) {
  const HttpServer server({"127.0.0.1", 0}, {{"/status", [] {
                                                return HttpAnswer{200, "text/plain", "hello"};
                                              }}});
  EXPECT_FALSE(fetch_process_status({"127.0.0.1", server.port()}));
  EXPECT_FALSE(parse_process_status("{}"));
  EXPECT_FALSE(parse_process_status("[]"));
}

}  // namespace
}  // namespace walpost
