#pragma once

#include <vector>

#include "cluster_check.h"
#include "findings.h"
#include "kafka_properties.h"
#include "options.h"

namespace walpost {

// The options as the Kafka layer takes them.
[[nodiscard]] KafkaSettings kafka_settings_of(const Options& options);

// What is wrong with a topic that is not usable. Only a missing one may mend itself.
[[nodiscard]] Finding finding_of(const TopicReport& topic, const Options& options);

// What the cluster lacks for `run`; asks it, creates nothing. Throws Error{kUsage} for properties
// that are refused.
[[nodiscard]] std::vector<Finding> examine_kafka(const Options& options);

}  // namespace walpost
