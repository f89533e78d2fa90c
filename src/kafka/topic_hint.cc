#include "topic_hint.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>

#include "kafka_properties.h"

namespace walpost {

ClusterNames cluster_names(const RdKafkaConf& conf) {
  const std::string user = conf_value(conf, "sasl.username");
  return {.brokers = conf_value(conf, "bootstrap.servers"),
          .principal = "User:" + (user.empty() ? std::string("PRINCIPAL") : user),
          .partitions = -1,
          .replication_factor = -1};
}

bool is_authorization_error(int error) noexcept {
  return error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED ||
         error == RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED;
}

bool is_missing_topic_error(int error) noexcept {
  return error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ||
         error == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC;
}

std::string topic_hint(std::string_view topic, int error, const ClusterNames& cluster) {
  if (is_authorization_error(error)) {
    return fmt::format(
        "kafka-acls.sh --bootstrap-server {} --add --allow-principal '{}' --operation Write "
        "--operation Describe --topic '{}'",
        cluster.brokers, cluster.principal, topic);
  }
  if (is_missing_topic_error(error)) {
    return fmt::format(
        "kafka-topics.sh --bootstrap-server {} --create --topic '{}' --partitions {} "
        "--replication-factor {}",
        cluster.brokers, topic, std::max(cluster.partitions, 1),
        std::max(cluster.replication_factor, 1));
  }
  return {};
}

}  // namespace walpost
