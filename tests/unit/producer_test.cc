#include "producer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "producer_fixture.h"

namespace walpost {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int16_t kProduceKey = 0;  // Kafka's ApiKey of a produce request
constexpr std::int16_t kInitProducerIdKey = 22;

TEST_F(ProducerTest, RecordsArriveInOrderWithTheirTickets) {
  start();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_FALSE(send("orders", fmt::format("v{}", i)));
  }
  ASSERT_FALSE(wait_for_reports());
  std::vector<std::string> expected;
  for (int i = 0; i < 1000; ++i) {
    expected.push_back(fmt::format("v{}", i));
    const auto& report = reports_[static_cast<std::size_t>(i)];
    EXPECT_EQ(report.ticket, Ticket{static_cast<std::uint64_t>(i) + 1});
    EXPECT_EQ(report.bytes, 1 + expected.back().size());
    EXPECT_EQ(report.refusal, nullptr);
  }
  EXPECT_EQ(values("orders", 1000), expected);
  EXPECT_TRUE(producer_->is_reachable());
  EXPECT_FALSE(has_logged("experimental")) << "of our own choice (docs/adr/0003)";
}

TEST_F(ProducerTest, NullAndEmptyStayApartInKeyValueAndHeaders) {
  start();
  const std::array<Header, 4> headers{Header{"id", "1"}, Header{"none", std::nullopt},
                                      Header{"empty", ""}, Header{"id", "2"}};
  Record record{.topic = "t",
                .partition = 0,
                .key = "",
                .value = std::nullopt,
                .headers = headers,
                .timestamp_ms = 1'234'567,
                .event_id = "1"};
  ASSERT_FALSE(send(record));
  record.key = std::nullopt;
  record.value = "";
  record.headers = {};
  ASSERT_FALSE(send(record));
  ASSERT_FALSE(wait_for_reports());
  const std::vector<Consumed> got = consume("t", 2);
  EXPECT_EQ(got[0].key, "");
  EXPECT_EQ(got[0].value, std::nullopt);
  EXPECT_EQ(got[0].timestamp_ms, 1'234'567);
  EXPECT_THAT(got[0].headers,
              ElementsAre(testing::Pair("id", "1"), testing::Pair("none", std::nullopt),
                          testing::Pair("empty", ""), testing::Pair("id", "2")));
  EXPECT_EQ(got[1].key, std::nullopt);
  EXPECT_EQ(got[1].value, "");
  EXPECT_TRUE(got[1].headers.empty());
}

TEST_F(ProducerTest, KeysLandOnThePartitionsOfJavasProducer) {
  broker_.create_topic("eight", 8);
  start();
  const std::vector<std::pair<std::string, int>> expected{
      {"o-1", 2}, {"o-2", 7}, {"o-3", 4}, {"o-4", 4}, {"o-5", 2}};
  for (const auto& [key, partition] : expected) {
    ASSERT_FALSE(send("eight", key, key));
  }
  ASSERT_FALSE(wait_for_reports());
  for (const Consumed& record : consume("eight", expected.size(), 8)) {
    const auto found = std::find_if(expected.begin(), expected.end(), [&record](const auto& pair) {
      return pair.first == record.key;
    });
    EXPECT_EQ(record.partition, found->second) << *record.key;
  }
}

TEST_F(ProducerTest, EmptyKeyGoesToItsOnePartition) {
  broker_.create_topic("twelve", 12);
  start();
  for (int i = 0; i < 20; ++i) {
    ASSERT_FALSE(send("twelve", "v", ""));
  }
  ASSERT_FALSE(wait_for_reports());
  for (const Consumed& record : consume("twelve", 20, 12)) {
    EXPECT_EQ(record.partition, 9);
  }
}

TEST_F(ProducerTest, PartitionOfTheRecordBeatsItsKey) {
  start();
  const Record record{.topic = "t",
                      .partition = 3,
                      .key = "o-1",
                      .value = "v",
                      .headers = {},
                      .timestamp_ms = 1,
                      .event_id = "7"};
  ASSERT_FALSE(send(record));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_EQ(consume("t", 1)[0].partition, 3);
}

TEST_F(ProducerTest, PartitionBeyondTheTopicIsUndeliverable) {
  start();
  const Record record{.topic = "t",
                      .partition = 4,
                      .key = "k",
                      .value = "v",
                      .headers = {},
                      .timestamp_ms = 1,
                      .event_id = "7"};
  const std::optional<Error> error = send(record);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), ExitCode::kUndeliverable);
  EXPECT_FALSE(error->is_retryable());
  EXPECT_THAT(error->what(), HasSubstr("event id 7 names partition 4 of topic t, which has 4"));
}

TEST_F(ProducerTest, RecordLargerThanOurLimitIsUndeliverableAndNothingWasTaken) {
  start({{"message.max.bytes", "10000"}});
  ASSERT_FALSE(send("t", "before"));
  const std::optional<Error> error = send("t", std::string(20'000, 'x'));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), ExitCode::kUndeliverable);
  EXPECT_FALSE(error->is_retryable());
  EXPECT_THAT(error->what(), HasSubstr("event id id-xxxxxxxxxxxxxxxxxxxx for topic t"));
  EXPECT_THAT(error->what(), HasSubstr("20001 bytes"));
  EXPECT_THAT(error->what(), HasSubstr("message.max.bytes=10000"));
  EXPECT_THAT(error->hint(), HasSubstr("-X message.max.bytes"));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_THAT(values("t", 1), ElementsAre("before"));
}

TEST_F(ProducerTest, InvalidTopicNameIsUndeliverable) {
  start();
  const std::optional<Error> error = send("no good", "v");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), ExitCode::kUndeliverable);
  EXPECT_THAT(error->what(), HasSubstr("event id id-v: the name of its topic holds a byte 0x20"));
}

TEST_F(ProducerTest, FullQueueSaysNotNowAndLosesNothing) {
  start({{"queue.buffering.max.messages", "3"}});
  std::vector<std::string> expected;
  for (int i = 0; i < 200; ++i) {
    expected.push_back(std::to_string(i));
    ASSERT_FALSE(send("t", expected.back()));
  }
  ASSERT_FALSE(wait_for_reports());
  EXPECT_EQ(values("t", 200), expected);
}

TEST_F(ProducerTest, NothingIsTakenOnceTheQueueIsFull) {
  start({{"queue.buffering.max.messages", "3"}});
  ASSERT_FALSE(send("t", "0"));
  ASSERT_FALSE(wait_for_reports());
  rd_kafka_mock_broker_set_down(mock(), 1);
  const Record record{.topic = "t",
                      .partition = std::nullopt,
                      .key = "k",
                      .value = "v",
                      .headers = {},
                      .timestamp_ms = 1,
                      .event_id = "1"};
  EXPECT_TRUE(producer_->try_send(record, Ticket{2}));
  EXPECT_TRUE(producer_->try_send(record, Ticket{3}));
  EXPECT_TRUE(producer_->try_send(record, Ticket{4}));
  EXPECT_FALSE(producer_->try_send(record, Ticket{5}));
}

TEST_F(ProducerTest, RefusedRecordIsNamedAndNothingPassesIt) {
  start({{"batch.num.messages", "1"}});
  ASSERT_FALSE(send("t", "1"));
  ASSERT_FALSE(wait_for_reports());
  constexpr rd_kafka_resp_err_t kGap = RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER;
  rd_kafka_mock_push_request_errors(mock(), kProduceKey, 5, RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE,
                                    kGap, kGap, kGap, kGap);
  std::optional<Error> error;
  for (int i = 2; i <= 6 && !error; ++i) {
    error = send("t", std::to_string(i));
  }
  if (!error) {
    error = pump([] { return false; });
  }
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->is_retryable());
  ASSERT_EQ(reports_.size(), 2U) << error->what();
  ASSERT_NE(reports_[1].refusal, nullptr);
  EXPECT_EQ(reports_[1].ticket, Ticket{2});
  EXPECT_EQ(reports_[1].refusal->exit_code(), ExitCode::kUndeliverable);
  EXPECT_FALSE(reports_[1].refusal->is_retryable());
  EXPECT_THAT(reports_[1].refusal->what(), HasSubstr("event id id-2 (2 bytes) for topic t"));
  EXPECT_THAT(reports_[1].refusal->hint(), HasSubstr("max.message.bytes"));
  EXPECT_THAT(values("t", 1), ElementsAre("1"));

  rd_kafka_mock_clear_request_errors(mock(), kProduceKey);
  producer_->restart();
  reports_.clear();
  last_ticket_ = 0;
  for (int i = 2; i <= 6; ++i) {
    ASSERT_FALSE(send("t", std::to_string(i)));
  }
  ASSERT_FALSE(wait_for_reports());
  EXPECT_THAT(values("t", 6), ElementsAre("1", "2", "3", "4", "5", "6"));
}

TEST_F(ProducerTest, RefusedFirstRecordOfAPartitionTravelsAlone) {
  // A broker that knows nothing of a producer takes its batch after a gap, as the mock does.
  start({{"batch.num.messages", "1"}, {"linger.ms", "0"}});
  rd_kafka_mock_push_request_errors(mock(), kProduceKey, 1, RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE);
  std::optional<Error> error;
  for (int i = 1; i <= 50 && !error; ++i) {
    error = send("t", std::to_string(i));
  }
  ASSERT_TRUE(error);
  ASSERT_EQ(reports_.size(), 1U);
  ASSERT_NE(reports_[0].refusal, nullptr);
  EXPECT_THAT(reports_[0].refusal->what(), HasSubstr("event id id-1 "));
  EXPECT_TRUE(values("t", 0).empty());
}

TEST_F(ProducerTest, BatchRefusedAsAWholeIsSentAgainOneByOne) {
  start({{"linger.ms", "100"}});
  ASSERT_FALSE(send("t", "0"));
  ASSERT_FALSE(wait_for_reports());
  rd_kafka_mock_push_request_errors(mock(), kProduceKey, 1, RD_KAFKA_RESP_ERR_INVALID_RECORD);
  for (int i = 1; i <= 5; ++i) {
    ASSERT_FALSE(send("t", std::to_string(i)));
  }
  std::optional<Error> error = pump([] { return false; });
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->is_retryable());
  EXPECT_THAT(error->what(), HasSubstr("5 records were refused together"));
  EXPECT_EQ(reports_.size(), 1U) << "nobody may be blamed yet";

  producer_->restart();
  // The mock cluster does not look at sequence numbers: what a broker says to those after the gap.
  constexpr rd_kafka_resp_err_t kGap = RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER;
  rd_kafka_mock_push_request_errors(mock(), kProduceKey, 6, RD_KAFKA_RESP_ERR_NO_ERROR,
                                    RD_KAFKA_RESP_ERR_NO_ERROR, RD_KAFKA_RESP_ERR_INVALID_RECORD,
                                    kGap, kGap, kGap);
  reports_.clear();
  last_ticket_ = 0;
  error.reset();
  for (int i = 1; i <= 5 && !error; ++i) {
    error = send("t", std::to_string(i));
  }
  if (!error) {
    error = pump([] { return false; });
  }
  ASSERT_EQ(reports_.size(), 3U);
  ASSERT_NE(reports_[2].refusal, nullptr);
  EXPECT_THAT(reports_[2].refusal->what(), HasSubstr("event id id-3 "));
  EXPECT_THAT(values("t", 3), ElementsAre("0", "1", "2"));
}

TEST_F(ProducerTest, BatchWhoseRecordsAllPassOneByOneGetsSmallerAfterwards) {
  start({{"linger.ms", "100"}});
  ASSERT_FALSE(send("t", "0"));
  ASSERT_FALSE(wait_for_reports());
  rd_kafka_mock_push_request_errors(mock(), kProduceKey, 1, RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE);
  for (int i = 1; i <= 3; ++i) {
    ASSERT_FALSE(send("t", std::to_string(i)));
  }
  ASSERT_TRUE(pump([] { return false; }));
  producer_->restart();
  reports_.clear();
  last_ticket_ = 0;
  for (int i = 1; i <= 6; ++i) {
    ASSERT_FALSE(send("t", std::to_string(i)));
  }
  ASSERT_FALSE(wait_for_reports());
  ASSERT_FALSE(send("t", "7"));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_THAT(values("t", 8), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7"));
  EXPECT_TRUE(has_logged("batch.size=3 "));
}

TEST_F(ProducerTest, BrokenSequenceLosesTheClientAndRestartSendsAgain) {
  start();
  ASSERT_FALSE(send("t", "1"));
  ASSERT_FALSE(wait_for_reports());
  rd_kafka_mock_push_request_errors(mock(), kProduceKey, 1,
                                    RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER);
  ASSERT_FALSE(send("t", "2"));
  const std::optional<Error> error = wait_for_reports();
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->is_retryable());
  EXPECT_THAT(error->what(), HasSubstr("sequence"));
  EXPECT_EQ(reports_.size(), 1U);
  EXPECT_THROW(producer_->drain_reports(reports_), Error) << "until restart()";

  producer_->restart();
  last_ticket_ = 1;
  ASSERT_FALSE(send("t", "2"));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_THAT(values("t", 2), ElementsAre("1", "2"));
}

TEST_F(ProducerTest, PassingErrorsNeverReachTheCaller) {
  start();
  ASSERT_FALSE(send("t", "1"));
  ASSERT_FALSE(wait_for_reports());
  rd_kafka_mock_push_request_errors(
      mock(), kProduceKey, 3, RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
      RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT);
  ASSERT_FALSE(send("t", "2"));
  ASSERT_FALSE(send("t", "3"));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_THAT(values("t", 3), ElementsAre("1", "2", "3"));
}

TEST_F(ProducerTest, BrokersDownAndUpLoseNothing) {
  start();
  ASSERT_FALSE(send("t", "0"));
  ASSERT_FALSE(wait_for_reports());
  rd_kafka_mock_broker_set_down(mock(), 1);
  for (int i = 1; i <= 50; ++i) {
    ASSERT_FALSE(send("t", std::to_string(i)));
  }
  ASSERT_FALSE(pump([this] { return !producer_->is_reachable(); }));
  EXPECT_EQ(reports_.size(), 1U);
  EXPECT_TRUE(has_logged("waiting for broker"));
  rd_kafka_mock_broker_set_up(mock(), 1);
  ASSERT_FALSE(wait_for_reports());
  EXPECT_TRUE(producer_->is_reachable());
  EXPECT_TRUE(has_logged("broker reachable"));
  std::vector<std::string> expected;
  for (int i = 0; i <= 50; ++i) {
    expected.push_back(std::to_string(i));
  }
  EXPECT_EQ(values("t", 51), expected);
}

TEST_F(ProducerTest, IdleProducerNoticesBrokersGoingAndComing) {
  start();
  ASSERT_FALSE(pump([this] { return producer_->is_reachable(); }));
  rd_kafka_mock_broker_set_down(mock(), 1);
  ASSERT_FALSE(pump([this] { return !producer_->is_reachable(); }));
  rd_kafka_mock_broker_set_up(mock(), 1);
  ASSERT_FALSE(pump([this] { return producer_->is_reachable(); }));
}

TEST_F(ProducerTest, BrokerAbsentAtTheStartIsToldOnceWithTheReason) {
  rd_kafka_mock_broker_set_down(mock(), 1);
  start();
  EXPECT_FALSE(producer_->is_reachable());
  const TimePoint begin = clock_.now();
  ASSERT_FALSE(pump([this] { return has_logged("waiting for broker"); }));
  EXPECT_LT(clock_.now() - begin, std::chrono::seconds(5));
  EXPECT_TRUE(has_logged("Connection refused")) << fmt::format("{}", fmt::join(log_lines_, "\n"));
  rd_kafka_mock_broker_set_up(mock(), 1);
  ASSERT_FALSE(send("t", "v"));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_EQ(std::count_if(log_lines_.begin(), log_lines_.end(),
                          [](const std::string& line) {
                            return line.find("waiting for broker") != std::string::npos;
                          }),
            1);
}

TEST_F(ProducerTest, ClusterThatForbidsIdempotentProducersNamesTheRemedy) {
  rd_kafka_mock_push_request_errors(mock(), kInitProducerIdKey, 1,
                                    RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED);
  start();
  const std::optional<Error> error = pump([] { return false; });
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->is_retryable());
  EXPECT_THAT(error->hint(), HasSubstr("--operation IdempotentWrite --cluster"));
}

TEST_F(ProducerTest, RestartForgetsWhatIsInFlight) {
  start();
  ASSERT_FALSE(send("t", "1"));
  ASSERT_FALSE(wait_for_reports());
  rd_kafka_mock_broker_set_down(mock(), 1);
  ASSERT_FALSE(send("t", "2"));
  producer_->restart();
  rd_kafka_mock_broker_set_up(mock(), 1);
  ASSERT_FALSE(send("t", "3"));
  ASSERT_FALSE(pump([this] { return reports_.size() == 2; }));
  EXPECT_EQ(reports_[1].ticket, Ticket{3});
  EXPECT_THAT(values("t", 2), ElementsAre("1", "3"));
}

// Each client that ends while the broker is silent waits for its question to run out.
TEST_F(ProducerTest, RestartNeverWaitsHoweverManyClientsAreEnding) {
  start();
  ASSERT_FALSE(send("t", "1"));
  ASSERT_FALSE(wait_for_reports());
  rd_kafka_mock_broker_set_rtt(mock(), 1, 60'000);
  for (int i = 0; i < 12; ++i) {
    producer_->drain_reports(reports_);  // asks
    const TimePoint begin = clock_.now();
    producer_->restart();
    EXPECT_LT(clock_.now() - begin, std::chrono::milliseconds(300));
  }
  EXPECT_FALSE(producer_->try_send({.topic = "t",
                                    .partition = std::nullopt,
                                    .key = "k",
                                    .value = "2",
                                    .headers = {},
                                    .timestamp_ms = 1,
                                    .event_id = "2"},
                                   Ticket{2}));
  rd_kafka_mock_broker_set_rtt(mock(), 1, 0);
  ASSERT_FALSE(send("t", "2"));
  ASSERT_FALSE(wait_for_reports());
  EXPECT_THAT(values("t", 2), ElementsAre("1", "2"));
}

}  // namespace
}  // namespace walpost
