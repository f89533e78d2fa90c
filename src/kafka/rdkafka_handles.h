#pragma once

#include <memory>

// librdkafka's handles, each with the deleter that ends it. The C structs are only declared here,
// so that no user of this library sees librdkafka's header.

struct rd_kafka_s;
struct rd_kafka_conf_s;
struct rd_kafka_topic_s;
struct rd_kafka_topic_conf_s;
struct rd_kafka_queue_s;
struct rd_kafka_op_s;
struct rd_kafka_mock_cluster_s;

namespace walpost {

struct RdKafkaDeleter {
  void operator()(rd_kafka_s* client) const noexcept;
  void operator()(rd_kafka_conf_s* conf) const noexcept;
  void operator()(rd_kafka_topic_s* topic) const noexcept;
  void operator()(rd_kafka_topic_conf_s* conf) const noexcept;
  void operator()(rd_kafka_queue_s* queue) const noexcept;
  void operator()(rd_kafka_op_s* event) const noexcept;
  void operator()(rd_kafka_mock_cluster_s* cluster) const noexcept;
};

using RdKafkaClient = std::unique_ptr<rd_kafka_s, RdKafkaDeleter>;
using RdKafkaConf = std::unique_ptr<rd_kafka_conf_s, RdKafkaDeleter>;
using RdKafkaTopic = std::unique_ptr<rd_kafka_topic_s, RdKafkaDeleter>;
using RdKafkaTopicConf = std::unique_ptr<rd_kafka_topic_conf_s, RdKafkaDeleter>;
using RdKafkaQueue = std::unique_ptr<rd_kafka_queue_s, RdKafkaDeleter>;
using RdKafkaEvent = std::unique_ptr<rd_kafka_op_s, RdKafkaDeleter>;
using RdKafkaMockCluster = std::unique_ptr<rd_kafka_mock_cluster_s, RdKafkaDeleter>;

}  // namespace walpost
