#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rdkafka_handles.h"

namespace walpost {

// What the commands that mend a topic must name.
struct ClusterNames {
  std::string brokers;
  std::string principal;  // "User:…"
  std::int32_t partitions = -1;
  std::int32_t replication_factor = -1;
};

[[nodiscard]] ClusterNames cluster_names(const RdKafkaConf& conf);

[[nodiscard]] bool is_authorization_error(int error) noexcept;
[[nodiscard]] bool is_missing_topic_error(int error) noexcept;

// The command to type when the cluster answers `error` (rd_kafka_resp_err_t) for the topic; "" when
// none would help.
[[nodiscard]] std::string topic_hint(std::string_view topic, int error,
                                     const ClusterNames& cluster);

}  // namespace walpost
