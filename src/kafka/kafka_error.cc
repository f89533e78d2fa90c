#include "kafka_error.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>

namespace walpost {
namespace {

struct Row {
  rd_kafka_resp_err_t code;
  KafkaErrorRule rule;
};

using enum KafkaVerdict;

constexpr auto kRules = std::to_array<Row>({
    {RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE,
     {kRefused, "it is larger than the topic's max.message.bytes"}},
    {RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE,
     {kRefused, "it is larger than the topic's segment.bytes"}},
    {RD_KAFKA_RESP_ERR_INVALID_RECORD,
     {kRefused, "the topic does not take such a record; a compacted topic needs a key"}},
    {RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP,
     {kRefused, "its timestamp is further away than the topic's message.timestamp limits allow"}},
    {RD_KAFKA_RESP_ERR_POLICY_VIOLATION, {kRefused, "the broker's policy forbids it"}},
    {RD_KAFKA_RESP_ERR_UNSUPPORTED_FOR_MESSAGE_FORMAT,
     {kRefused, "the topic's message format is too old for it (headers need Kafka 0.11)"}},
    {RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE, {kRefused, "the broker finds its size invalid"}},
    {RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION, {kRefused, "the broker finds its topic's name invalid"}},
    {RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
     {kTopicHeld, "writing to the topic is not authorised"}},
    {RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, {kTopicHeld, "the topic does not exist"}},
    {RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE, {kTopicHeld, "the topic has no leader yet"}},
    {RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, {kTopicHeld, "the topic does not exist"}},
    {RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, {kTopicHeld, "the topic has no such partition"}},
    {RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED,
     {kClientLost,
      "the cluster does not authorise an idempotent producer: brokers before 2.8 want the "
      "operation IdempotentWrite on the cluster"}},
    {RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
     {kClientLost, "the broker lost track of this producer's sequence"}},
    {RD_KAFKA_RESP_ERR_UNKNOWN_PRODUCER_ID,
     {kClientLost, "the broker no longer knows this producer"}},
    {RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH,
     {kClientLost, "the broker knows a newer epoch of this producer"}},
    {RD_KAFKA_RESP_ERR__GAPLESS_GUARANTEE,
     {kClientLost, "a record failed and later ones must not pass it"}},
    {RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION,
     {kClientLost, "the broker is too old for an idempotent producer (it needs Kafka 0.11)"}},
    {RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, {kClientLost, "a record timed out"}},
});

}  // namespace

KafkaErrorRule kafka_error_rule(int code) noexcept {
  const auto* row = std::find_if(kRules.begin(), kRules.end(),
                                 [code](const Row& candidate) { return candidate.code == code; });
  return row != kRules.end() ? row->rule : KafkaErrorRule{kClientLost, "the producer cannot go on"};
}

std::string kafka_error_text(int code) {
  const auto error = static_cast<rd_kafka_resp_err_t>(code);
  return fmt::format("{} ({})", rd_kafka_err2name(error), rd_kafka_err2str(error));
}

}  // namespace walpost
