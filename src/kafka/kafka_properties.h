#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rdkafka_handles.h"
#include "topic_creation.h"

namespace walpost {

// What the operator says about the cluster, as the options give it.
struct KafkaSettings {
  std::string brokers;  // --brokers HOST:PORT,…
  // -X KEY=VALUE, in order; the last of one key wins, and all beat the file.
  std::vector<std::pair<std::string, std::string>> properties;
  std::string config_file;  // --kafka-config FILE; empty: none
};

// A librdkafka configuration, complete for a producer but for what a single client adds.
struct ProducerConf {
  RdKafkaConf conf;
  // What is allowed but unwise, each a sentence for the operator.
  std::vector<std::string> warnings;
};

// Builds the configuration: our own settings (docs/adr/0003-producer-settings.md), the file, then
// -X.
// Throws Error{kUsage}: a property the guarantee rests on, an unknown one (with the nearest name),
// a value librdkafka does not take, an unreadable file, no or contradicting brokers. No text shows
// the value of a secret.
[[nodiscard]] ProducerConf make_producer_conf(const KafkaSettings& settings,
                                              TopicCreation topic_creation);

// The value that `conf` holds for `name`, "" when it has none.
[[nodiscard]] std::string conf_value(const RdKafkaConf& conf, const char* name);

// True for properties whose value is a password or a key, which no text may show.
[[nodiscard]] bool is_secret_property(std::string_view name) noexcept;

}  // namespace walpost
