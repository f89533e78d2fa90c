#pragma once

#include <librdkafka/rdkafka.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace walpost::test {

using RdKafka = std::unique_ptr<rd_kafka_t, decltype(&rd_kafka_destroy)>;
using KafkaProperties = std::vector<std::pair<std::string, std::string>>;

// A librdkafka client with these properties; throws std::runtime_error if one is refused.
[[nodiscard]] RdKafka make_client(rd_kafka_type_t type, const KafkaProperties& properties);

struct TopicOptions {
  int partitions = 1;
  int replication_factor = 1;
  KafkaProperties configs;
};

// Administrative requests to a broker; each waits for the answer and throws std::runtime_error if
// it is an error.
class KafkaAdmin final {
 public:
  explicit KafkaAdmin(const std::string& bootstrap);

  void create_topic(const std::string& name, const TopicOptions& options);
  void delete_topic(const std::string& name);
  void set_topic_configs(const std::string& name, const KafkaProperties& configs);
  // Returns once the cluster's metadata names this many brokers.
  void wait_for_brokers(std::size_t count);

 private:
  RdKafka client_;
};

}  // namespace walpost::test
