#include "cluster_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <chrono>
#include <string>
#include <vector>

#include "embedded_broker.h"

namespace walpost {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

TEST(ClusterCheck, EachTopicIsReportedInTheOrderAskedFor) {
  EmbeddedBroker broker({});
  broker.create_topic("there", 3);
  rd_kafka_mock_topic_set_error(broker.handle(), "missing",
                                RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  rd_kafka_mock_topic_set_error(broker.handle(), "secret",
                                RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  const std::vector<std::string> topics{"missing", "there", "no good", "secret"};
  const ClusterReport report =
      describe_cluster({.brokers = broker.bootstrap_servers(), .properties = {}, .config_file = {}},
                       topics, seconds(10));
  EXPECT_TRUE(report.is_reachable);
  ASSERT_EQ(report.topics.size(), 4U);
  EXPECT_EQ(report.topics[0].name, "missing");
  EXPECT_FALSE(report.topics[0].is_usable);
  EXPECT_THAT(report.topics[0].problem, HasSubstr("the topic does not exist"));
  EXPECT_THAT(report.topics[0].hint, HasSubstr("kafka-topics.sh"));
  EXPECT_TRUE(report.topics[0].is_missing);
  EXPECT_FALSE(report.topics[2].is_missing);
  EXPECT_FALSE(report.topics[3].is_missing);
  EXPECT_TRUE(report.topics[1].is_usable);
  EXPECT_EQ(report.topics[1].partition_count, 3);
  EXPECT_EQ(report.topics[1].problem, "");
  EXPECT_THAT(report.topics[2].problem, HasSubstr("byte 0x20 at offset 2"));
  EXPECT_THAT(report.topics[3].problem, HasSubstr("TOPIC_AUTHORIZATION_FAILED"));
  EXPECT_THAT(report.topics[3].hint, HasSubstr("kafka-acls.sh"));
}

TEST(ClusterCheck, UnreachableBrokersAreSaidWithTheReasonInTime) {
  std::string bootstrap;
  {
    const EmbeddedBroker gone({});
    bootstrap = gone.bootstrap_servers();
  }
  const auto begin = std::chrono::steady_clock::now();
  const ClusterReport report =
      describe_cluster({.brokers = bootstrap, .properties = {}, .config_file = {}}, {}, seconds(2));
  EXPECT_FALSE(report.is_reachable);
  EXPECT_THAT(report.problem, HasSubstr("no broker of " + bootstrap + " answers"));
  EXPECT_THAT(report.problem, HasSubstr("Connection refused"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(6));
}

}  // namespace
}  // namespace walpost
