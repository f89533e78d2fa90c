#pragma once

#include <memory>

#include "event_fd.h"
#include "metadata_probe.h"
#include "rdkafka_handles.h"

namespace walpost {

// One librdkafka producer with the queue of its events, the descriptor that tells of them, and its
// probe. Ends as a whole.
class KafkaClient final {
 public:
  // Takes a copy of `conf`. Throws Error{kUsage} when librdkafka refuses the whole of it.
  explicit KafkaClient(const RdKafkaConf& conf);
  // Drops what is in flight; may wait for a question of the probe.
  ~KafkaClient();
  KafkaClient(const KafkaClient&) = delete;
  KafkaClient& operator=(const KafkaClient&) = delete;

  [[nodiscard]] rd_kafka_s* handle() const noexcept { return client_.get(); }
  [[nodiscard]] rd_kafka_queue_s* queue() const noexcept { return queue_.get(); }
  [[nodiscard]] const EventFd& wake() const noexcept { return wake_; }
  [[nodiscard]] MetadataProbe& probe() const noexcept { return *probe_; }

  // The next event of the queue; null: none.
  [[nodiscard]] RdKafkaEvent poll() const noexcept;

 private:
  EventFd wake_;  // librdkafka writes to it until the queue is gone
  RdKafkaClient client_;
  RdKafkaQueue queue_;
  std::unique_ptr<MetadataProbe> probe_;
};

}  // namespace walpost
