#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kafka_properties.h"

namespace walpost {

// What the cluster says of one topic.
struct TopicReport {
  std::string name;
  bool is_usable = false;   // it exists and our principal may see it
  bool is_missing = false;  // the cluster does not know it, so that it may still be made
  std::int32_t partition_count = 0;
  std::string problem;  // empty when usable; otherwise what is wrong, as a sentence
  std::string hint;     // the command that mends it
};

struct ClusterReport {
  bool is_reachable = false;
  std::string problem;  // why not reachable
  std::string hint;
  std::vector<TopicReport> topics;    // in the order asked for; empty when not reachable
  std::vector<std::string> warnings;  // of the properties, each a sentence
};

// Asks the cluster, for `walpost check`. Blocks up to `timeout`. Creates no topic, whatever the
// broker's auto.create.topics.enable says. Throws Error{kUsage} for what make_producer_conf()
// refuses. An invalid topic name is a problem of its TopicReport; the cluster is not asked for it.
[[nodiscard]] ClusterReport describe_cluster(const KafkaSettings& settings,
                                             std::span<const std::string> topics,
                                             std::chrono::milliseconds timeout);

}  // namespace walpost
