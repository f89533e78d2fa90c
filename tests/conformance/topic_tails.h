#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kafka_admin.h"
#include "kafka_consumer.h"
#include "kafka_message.h"

namespace walpost::test {

// What was added to a cluster's topics since one last looked. The topics are shared by vectors that
// come one after another.
class TopicTails final {
 public:
  explicit TopicTails(const std::string& bootstrap);

  // The new records of all topics; those of one partition are in its order. Throws
  // std::runtime_error if they do not come within kPatience.
  [[nodiscard]] std::vector<KafkaRecord> take();

 private:
  using Partition = std::pair<std::string, std::int32_t>;

  [[nodiscard]] std::map<std::string, int> topics_there();
  [[nodiscard]] KafkaPartitions ends_of(const std::map<std::string, int>& topics);

  RdKafka client_;
  std::map<Partition, std::int64_t> next_offsets_;
};

}  // namespace walpost::test
