#pragma once

#include <cstdint>
#include <string>

#include "rdkafka_handles.h"

namespace walpost {

struct EmbeddedBrokerOptions {
  int broker_count = 1;
};

// librdkafka's mock cluster: real TCP on free ports of 127.0.0.1, the real protocol, nothing on
// disk. For the quick start and tests; it keeps only the newest few MB of a partition.
class EmbeddedBroker final {
 public:
  explicit EmbeddedBroker(const EmbeddedBrokerOptions& options);

  [[nodiscard]] std::string bootstrap_servers() const;  // HOST:PORT,…
  void create_topic(const std::string& name, int partition_count);

  // For the fault injection that only tests need (rdkafka_mock.h).
  [[nodiscard]] rd_kafka_mock_cluster_s* handle() const noexcept { return cluster_.get(); }

 private:
  RdKafkaClient client_;  // holds the cluster's thread; ends after it
  RdKafkaMockCluster cluster_;
};

}  // namespace walpost
