#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rdkafka_handles.h"
#include "walpost/clock.h"

namespace walpost {

// One partition, as far as a broker's memory of our sequence on it matters: a broker that holds
// nothing of a producer takes its first batch whatever its sequence number is. If that batch comes
// after one that was refused, it passes it (measured on Kafka 4.3.1, also with max.in.flight=1). So
// the first record of each partition travels alone.
struct Partition {
  std::uint64_t in_flight_count = 0;
  std::optional<TimePoint> acked_at;  // by the present client
};

// One topic that records go to.
struct Topic {
  std::string name;
  RdKafkaTopic handle;    // of the present client; null until it is asked about
  bool is_ready = false;  // the cluster knows it and lets us see it
  bool is_being_created = false;
  std::int32_t partition_count = 0;
  std::vector<Partition> partitions;  // at least partition_count; never fewer, for their reports
  // A record named a partition beyond partition_count: asked again whether there are more by now.
  bool is_recounted = false;
  std::uint64_t in_flight_count = 0;
  TimePoint wanted_at;  // when a record for it was last offered

  // What keeps it from being ready, over restarts of the client; cleared by a delivered record.
  int problem = 0;  // rd_kafka_resp_err_t; 0: none
  std::string problem_detail;
  TimePoint problem_since;
  bool is_expired = false;  // the problem has lasted for --topic-timeout
  TimePoint next_warning_at;
  Duration warning_interval{};
  TimePoint held_until;  // after a refusal by the broker, which metadata do not show
};

// The topics in use, by name. Entries do not move, so that librdkafka's topics can point to theirs.
class TopicTable final {
 public:
  explicit TopicTable(std::size_t most_topics) : most_topics_(most_topics) {}

  [[nodiscard]] Topic* find(std::string_view name);
  // Null when the table is full of topics that the present client knows: librdkafka keeps a topic,
  // and its pointer to our entry, for as long as the client lives.
  [[nodiscard]] Topic* add(std::string_view name);

  // Forgets what belongs to a client; the problems stay.
  void reset_client();

  [[nodiscard]] auto begin() { return topics_.begin(); }
  [[nodiscard]] auto end() { return topics_.end(); }

 private:
  void make_room();

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept {
      return std::hash<std::string_view>{}(name);
    }
  };

  std::size_t most_topics_;
  std::unordered_map<std::string, Topic, Hash, std::equal_to<>> topics_;
  Topic* last_ = nullptr;  // most records go where the one before went
};

}  // namespace walpost
