#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kafka_admin.h"
#include "poll_until.h"

namespace walpost::test {

struct KafkaHeader {
  std::string name;
  std::optional<std::string> value = std::nullopt;
  friend bool operator==(const KafkaHeader&, const KafkaHeader&) = default;
};

// A record as a consumer sees it.
struct KafkaRecord {
  std::string topic = {};
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  std::optional<std::string> key = std::nullopt;
  std::optional<std::string> value = std::nullopt;
  std::vector<KafkaHeader> headers = {};
  std::chrono::sys_time<std::chrono::milliseconds> timestamp = {};

  // The value of the first header of this name; nothing if there is none or if it is null.
  [[nodiscard]] std::optional<std::string> header(const std::string& name) const;
};

// Reads topics from their beginning. Records of one partition come in its order; partitions are
// mixed. No consumer group, nothing committed.
class KafkaConsumer final {
 public:
  // The topics' partitions are those of this moment. A topic that does not exist throws.
  KafkaConsumer(const std::string& bootstrap, const std::vector<std::string>& topics,
                const KafkaProperties& properties = {});
  KafkaConsumer(const KafkaConsumer&) = delete;
  KafkaConsumer& operator=(const KafkaConsumer&) = delete;
  ~KafkaConsumer();

  // Waits for the next record; nothing if there is none within `limit`.
  [[nodiscard]] std::optional<KafkaRecord> next(std::chrono::milliseconds limit);
  // Waits for exactly `count` more records; throws std::runtime_error if there are fewer within
  // `limit`.
  [[nodiscard]] std::vector<KafkaRecord> take(std::size_t count,
                                              std::chrono::milliseconds limit = kPatience);
  // Gives every record up to the partitions' ends, as they are now, to `visit`: for more records
  // than should be held in memory.
  void for_each_to_end(const std::function<void(const KafkaRecord&)>& visit);
  // Every record up to the partitions' ends as they are now.
  [[nodiscard]] std::vector<KafkaRecord> take_to_end();

 private:
  struct Partition {
    std::string topic;
    std::int32_t number;
    std::int64_t next_offset;
  };

  [[nodiscard]] std::vector<std::int64_t> ends();

  RdKafka client_;
  std::vector<Partition> partitions_;
};

// All records that the topics hold now.
[[nodiscard]] std::vector<KafkaRecord> read_topics(const std::string& bootstrap,
                                                   const std::vector<std::string>& topics);

}  // namespace walpost::test
