#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "delivery_failure.h"
#include "rdkafka_handles.h"
#include "walpost/log.h"

namespace walpost {

// Kafka refuses a request as a whole: when one record of a batch can never be delivered, all of
// its batch are refused with it, and nothing says which. The batch is then sent again one record a
// request, by a client made for that, until it has passed or the one is found.
class BatchIsolation final {
 public:
  // `log` must outlive it.
  explicit BatchIsolation(const Log& log) : log_(log) {}

  // The records of `batch` were refused together; the next client sends records one by one.
  void begin(const FailedBatch& batch);
  [[nodiscard]] bool is_active() const noexcept { return is_active_; }
  // A record arrived while is_active().
  void note_delivered(std::string_view event_id);
  // True when all suspects have passed: the client may be renewed, to batch again.
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }

  // The configuration for the next client.
  [[nodiscard]] RdKafkaConf next_conf(const RdKafkaConf& base);

 private:
  void shrink_batches();

  const Log& log_;
  bool is_asked_ = false;   // for the next client
  bool is_active_ = false;  // in the present client
  bool is_over_ = false;
  std::string last_event_id_;
  int error_ = 0;
  std::uint64_t refused_bytes_ = 0;           // of the batch
  std::optional<std::uint64_t> batch_bytes_;  // once a batch as such was too large
};

}  // namespace walpost
