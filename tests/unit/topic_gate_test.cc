#include <fmt/format.h>
#include <gmock/gmock.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "metadata_probe.h"
#include "producer_fixture.h"

// How the producer treats topics that are missing or not authorised.

namespace walpost {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int16_t kProduceKey = 0;  // Kafka's ApiKey of a produce request

class TopicGateTest : public ProducerTest {
 protected:
  void set_topic_error(const char* topic, rd_kafka_resp_err_t error) {
    rd_kafka_mock_topic_set_error(mock(), topic, error);
  }
  static Record record_of(const char* topic) {
    return {.topic = topic,
            .partition = std::nullopt,
            .key = "k",
            .value = "v",
            .headers = {},
            .timestamp_ms = 1,
            .event_id = "7"};
  }
};

TEST_F(TopicGateTest, MissingTopicHoldsTheLineUntilItIsThere) {
  set_topic_error("t", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  start();
  ASSERT_FALSE(pump([this] {
    EXPECT_FALSE(producer_->try_send(record_of("t"), Ticket{1}));
    return has_logged("topic is not ready");
  }));
  EXPECT_TRUE(has_logged("topic=t"));
  EXPECT_TRUE(has_logged("kafka-topics.sh --bootstrap-server " + broker_.bootstrap_servers() +
                         " --create --topic 't' --partitions 1 --replication-factor 1 (or let "
                         "walpost do it: --topic-creation create)"));
  set_topic_error("t", RD_KAFKA_RESP_ERR_NO_ERROR);
  ASSERT_FALSE(send("t", "1"));
  ASSERT_FALSE(send("t", "2"));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_TRUE(has_logged("topic is ready"));
  EXPECT_THAT(values("t", 2), ElementsAre("1", "2"));
}

TEST_F(TopicGateTest, MissingTopicIsUndeliverableAfterItsTimeout) {
  set_topic_error("t", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  ProducerOptions options;
  options.topic_timeout = milliseconds(1'500);
  start(options);
  const TimePoint begin = clock_.now();
  const std::optional<Error> error = send(record_of("t"));
  ASSERT_TRUE(error);
  EXPECT_GE(clock_.now() - begin, milliseconds(1'500));
  EXPECT_LT(clock_.now() - begin, seconds(5));
  EXPECT_EQ(error->exit_code(), ExitCode::kUndeliverable);
  EXPECT_FALSE(error->is_retryable());
  EXPECT_THAT(error->what(), HasSubstr("topic t: UNKNOWN_TOPIC_OR_PART"));
  EXPECT_THAT(error->what(), HasSubstr("event id 7 cannot be delivered"));
  EXPECT_THAT(error->hint(), HasSubstr("kafka-topics.sh"));
}

TEST_F(TopicGateTest, OneTopicHeldDoesNotStopReportsOfAnother) {
  set_topic_error("bad", RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  start({{"sasl.username", "relay"}});
  ASSERT_FALSE(send("good", "1"));
  EXPECT_FALSE(producer_->try_send(record_of("bad"), Ticket{2}));
  ASSERT_FALSE(wait_for_reports());
  ASSERT_FALSE(pump([this] {
    EXPECT_FALSE(producer_->try_send(record_of("bad"), Ticket{2}));
    return has_logged("kafka-acls.sh");
  }));
  EXPECT_TRUE(
      has_logged("--add --allow-principal 'User:relay' --operation Write --operation "
                 "Describe --topic 'bad'"));
  set_topic_error("bad", RD_KAFKA_RESP_ERR_NO_ERROR);
  const TimePoint begin = clock_.now();
  ASSERT_FALSE(send("bad", "2"));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_LT(clock_.now() - begin, seconds(30)) << "B085";
}

TEST_F(TopicGateTest, WriteRefusedByTheBrokerLosesTheClientAndIsRetriedInOrder) {
  start();
  ASSERT_FALSE(send("t", "0"));
  ASSERT_FALSE(wait_for_reports());
  rd_kafka_mock_push_request_errors(mock(), kProduceKey, 1,
                                    RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  ASSERT_FALSE(send("t", "1"));
  const std::optional<Error> error = wait_for_reports();
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->is_retryable());
  EXPECT_THAT(error->what(), HasSubstr("writing to the topic is not authorised"));
  EXPECT_EQ(reports_.size(), 1U) << "not a refusal: the grant may come";
  producer_->restart();
  last_ticket_ = 1;
  ASSERT_FALSE(send("t", "1"));
  ASSERT_FALSE(send("t", "2"));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_THAT(values("t", 3), ElementsAre("0", "1", "2"));
}

TEST_F(TopicGateTest, WriteRefusedForTheTimeoutIsUndeliverableOverRestarts) {
  ProducerOptions options;
  options.topic_timeout = seconds(3);
  start(options);
  for (int i = 0; i < 20; ++i) {
    rd_kafka_mock_push_request_errors(mock(), kProduceKey, 1,
                                      RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  }
  std::optional<Error> error;
  int restart_count = 0;
  while (restart_count < 10) {
    error = send("t", "1");
    if (!error) {
      error = pump([] { return false; });
    }
    ASSERT_TRUE(error);
    if (!error->is_retryable()) {
      break;
    }
    producer_->restart();
    ++restart_count;
  }
  EXPECT_EQ(error->exit_code(), ExitCode::kUndeliverable);
  EXPECT_FALSE(error->is_retryable());
  EXPECT_THAT(error->hint(), HasSubstr("kafka-acls.sh"));
  EXPECT_LE(restart_count, 4) << "each attempt costs a client";
}

TEST_F(TopicGateTest, TopicThatGoesAwayUnderRecordsInFlightIsNotPassed) {
  start({{"topic.metadata.refresh.interval.ms", "300"}});
  std::size_t sent = 0;
  // Keeps records in flight; one key, so that reports come in the order of sending.
  const auto send_some = [this, &sent] {
    while (sent - reports_.size() < 50) {
      const std::string value = std::to_string(sent);
      Record record = record_of("t");
      record.value = value;
      if (!producer_->try_send(record, Ticket{sent + 1})) {
        return;
      }
      ++sent;
    }
  };
  ASSERT_FALSE(pump([&] {
    send_some();
    return reports_.size() > 100;
  }));
  set_topic_error("t", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  const std::optional<Error> error = pump([&] {
    send_some();
    return has_logged("topic is not ready");
  });
  set_topic_error("t", RD_KAFKA_RESP_ERR_NO_ERROR);
  if (error) {  // with records in flight; without, the line was only held
    EXPECT_TRUE(error->is_retryable()) << error->what();
    producer_->restart();
    sent = reports_.size();
  }
  const std::size_t end = sent + 100;
  ASSERT_FALSE(pump([&] {
    send_some();
    return reports_.size() >= end;
  }));
  for (const DeliveryReport& report : reports_) {
    EXPECT_EQ(report.refusal, nullptr);
  }
  std::size_t next = 0;  // repeats are allowed, gaps are not
  for (const std::string& value : values("t", reports_.size())) {
    const std::size_t number = std::stoul(value);
    ASSERT_LE(number, next);
    next = std::max(next, number + 1);
  }
  EXPECT_GE(next, end);
}

// librdkafka never forgets a topic of a client, nor the pointer that it was given with it.
TEST_F(TopicGateTest, MoreTopicsThanAClientMayKnowAreDeliveredByOneClientAfterTheOther) {
  ProducerOptions options;
  options.topics_per_client = 3;
  start(options);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 5; ++i) {
      ASSERT_FALSE(send(fmt::format("t{}", i), fmt::format("{}", round)));
    }
  }
  ASSERT_FALSE(wait_for_reports());
  EXPECT_EQ(reports_.size(), 10U);
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(values(fmt::format("t{}", i), 2), ElementsAre("0", "1"));
  }
}

TEST(TopicMetadataTest, NoErrorAndNoPartitionIsATopicWithoutALeader) {
  std::string name = "t";
  rd_kafka_metadata_topic topic{};
  topic.topic = name.data();
  EXPECT_EQ(topic_metadata(topic).error, RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE);
  topic.partition_cnt = 1;
  EXPECT_EQ(topic_metadata(topic).error, RD_KAFKA_RESP_ERR_NO_ERROR);
  topic.err = RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
  EXPECT_EQ(topic_metadata(topic).error, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
}

}  // namespace
}  // namespace walpost
