#pragma once

#include <string>
#include <string_view>

namespace walpost {

// What follows from an error that librdkafka hands us. Errors that it mends itself (a moved leader,
// too few in-sync replicas, a timed-out request) never come this far.
enum class KafkaVerdict {
  kRefused,     // this record can never be delivered: the policy for undeliverable records
  kTopicHeld,   // its topic is missing or not authorised: hold the line, then restart
  kClientLost,  // this client is of no further use, a new one may be: restart
};

struct KafkaErrorRule {
  KafkaVerdict verdict;
  std::string_view sentence;  // what the operator reads
};

// The rule for a code of librdkafka's rd_kafka_resp_err_t. A code that is not in the table loses
// the client, which can repeat records but never lose one.
[[nodiscard]] KafkaErrorRule kafka_error_rule(int code) noexcept;

// "TOPIC_AUTHORIZATION_FAILED (Broker: Topic authorization failed)".
[[nodiscard]] std::string kafka_error_text(int code);

}  // namespace walpost
