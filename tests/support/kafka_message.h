#pragma once

#include <librdkafka/rdkafka.h>

#include <memory>
#include <string>

#include "kafka_admin.h"
#include "kafka_consumer.h"

namespace walpost::test {

// librdkafka's parts of a consumer, for those that read topics in a way of their own.
using KafkaMessage = std::unique_ptr<rd_kafka_message_t, decltype(&rd_kafka_message_destroy)>;
using KafkaPartitions = std::unique_ptr<rd_kafka_topic_partition_list_t,
                                        decltype(&rd_kafka_topic_partition_list_destroy)>;
using KafkaMetadata =
    std::unique_ptr<const rd_kafka_metadata_t, decltype(&rd_kafka_metadata_destroy)>;
using KafkaTopic = std::unique_ptr<rd_kafka_topic_t, decltype(&rd_kafka_topic_destroy)>;

// Throws std::runtime_error that begins with `what` if there is an error.
void check_kafka(rd_kafka_resp_err_t error, const std::string& what);

// A consumer without group and commits that fetches at once; `properties` come after our own.
[[nodiscard]] KafkaProperties consumer_properties(const std::string& bootstrap,
                                                  const KafkaProperties& properties = {});

[[nodiscard]] KafkaRecord record_of(const rd_kafka_message_t* message);

}  // namespace walpost::test
