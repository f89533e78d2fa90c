#include "walpost/router.h"

#include <gmock/gmock.h>

#include "wire/thrown.h"

namespace walpost {
namespace {

constexpr PgTimestamp kCommitTime(1'000'000);
constexpr PgTimestamp kNow(2'000'000);
constexpr std::int64_t kEpochMs = 946'684'800'000;

OutboxEvent invoice() {
  return {.id = "e1", .key = "inv-7", .routing_text = "invoice", .payload = "{}"};
}

class RouterTest : public testing::Test {
 protected:
  Record route(const OutboxEvent& event) { return router_.route(event, kCommitTime, kNow); }

  Router router_{RouterOptions{}};
};

TEST_F(RouterTest, FollowsDebeziumsDefaults) {
  const Record record = route(invoice());
  EXPECT_EQ(record.topic, "outbox.event.invoice");
  EXPECT_EQ(record.partition, std::nullopt);
  EXPECT_EQ(record.key, "inv-7");
  EXPECT_EQ(record.value, "{}");
  ASSERT_EQ(record.headers.size(), 1u);
  EXPECT_EQ(record.headers[0].name, "id");
  EXPECT_EQ(record.headers[0].value, "e1");
  EXPECT_EQ(record.event_id, "e1");
}

TEST_F(RouterTest, NullsStayNull) {
  const Record record = route({.routing_text = "r"});
  EXPECT_EQ(record.key, std::nullopt);
  EXPECT_EQ(record.value, std::nullopt);
  ASSERT_EQ(record.headers.size(), 1u) << "a header with a null value";
  EXPECT_EQ(record.headers[0].value, std::nullopt);
  EXPECT_EQ(record.event_id, "");
}

TEST_F(RouterTest, TheRecordsTimeIsTheCommits) {
  EXPECT_EQ(route(invoice()).timestamp_ms, kEpochMs + 1'000);
}

TEST_F(RouterTest, OrTheTimeOfProcessing) {
  router_ = Router({.record_timestamp = RecordTimestamp::kNow});
  EXPECT_EQ(route(invoice()).timestamp_ms, kEpochMs + 2'000);
}

TEST_F(RouterTest, ATimestampColumnComesFirst) {
  OutboxEvent event = invoice();
  event.timestamp = PgTimestamp(-1'500);
  EXPECT_EQ(route(event).timestamp_ms, kEpochMs - 2) << "rounded towards 1970";
  event.timestamp = std::nullopt;
  event.has_infinite_timestamp = true;
  EXPECT_EQ(route(event).timestamp_ms, kEpochMs + 1'000);
}

TEST_F(RouterTest, RegexAndReplacementDecideTheTopic) {
  router_ = Router({.route_topic_regex = "inv(.*)", .route_topic_replacement = "x.$1"});
  EXPECT_EQ(route(invoice()).topic, "x.oice");
  EXPECT_EQ(route({.routing_text = "refund"}).topic, "refund");
}

TEST_F(RouterTest, TopicsDoNotMixHoweverManyThereAre) {
  const std::size_t count = Router::kMaxRememberedTopics + 10;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string text = std::to_string(i);
      ASSERT_EQ(route({.routing_text = text}).topic, "outbox.event." + text);
    }
  }
}

TEST_F(RouterTest, OptionsThatCannotBeUsedAreRefused) {
  EXPECT_EQ(thrown([] { return Router({.route_topic_regex = "("}); }).exit_code(),
            ExitCode::kUsage);
  EXPECT_EQ(thrown([] { return Router({.route_topic_replacement = "$9"}); }).exit_code(),
            ExitCode::kUsage);
}

}  // namespace
}  // namespace walpost
