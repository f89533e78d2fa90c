#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "event_fd.h"
#include "rdkafka_handles.h"

struct rd_kafka_metadata_topic;

namespace walpost {

// What the cluster said of one topic that the client uses.
struct TopicMetadata {
  std::string name;
  int error = 0;  // rd_kafka_resp_err_t; never 0 without a partition
  std::int32_t partition_count = 0;
};

struct ProbeResult {
  int error = 0;  // rd_kafka_resp_err_t; not 0: nobody answered
  std::vector<TopicMetadata> topics;
};

// One topic of an answer. A topic that is just being made may have no error and no partition
// either, which is LEADER_NOT_AVAILABLE in another guise.
[[nodiscard]] TopicMetadata topic_metadata(const rd_kafka_metadata_topic& topic);

// Asks the cluster for the client's topics on a thread of its own, since rd_kafka_metadata() is
// the one call of librdkafka that tells whether a topic exists, and it blocks. Signals `wake` when
// an answer is there. One question at a time.
class MetadataProbe final {
 public:
  // `client` and `wake` must outlive the probe.
  MetadataProbe(rd_kafka_s* client, const EventFd& wake);
  // Waits for a question on its way: up to kLongestTimeout.
  ~MetadataProbe();
  MetadataProbe(const MetadataProbe&) = delete;
  MetadataProbe& operator=(const MetadataProbe&) = delete;

  void ask();
  [[nodiscard]] bool is_busy() const;
  [[nodiscard]] std::optional<ProbeResult> take_result();

 private:
  void run(const std::stop_token& stop);

  rd_kafka_s* client_;
  const EventFd& wake_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  bool is_asked_ = false;
  bool is_running_ = false;
  std::optional<ProbeResult> result_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace walpost
