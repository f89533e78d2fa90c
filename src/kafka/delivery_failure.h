#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "walpost/error.h"
#include "walpost/ids.h"

struct rd_kafka_message_s;

namespace walpost {

struct Topic;

// The records of one request that failed together: librdkafka reports them in one event.
struct FailedBatch {
  std::size_t record_count = 0;
  // The first of them.
  int error = 0;  // rd_kafka_resp_err_t
  Topic* topic = nullptr;
  std::int32_t partition = -1;
  Ticket ticket;
  std::uint64_t bytes = 0;
  std::string event_id;  // its header `id`, "" when it has none
  std::string last_event_id;
  std::uint64_t total_bytes = 0;  // of all

  void add(const rd_kafka_message_s& message);
};

// The value of the record's header `id`, "" when it has none.
[[nodiscard]] std::string event_id_of(const rd_kafka_message_s& message);

// That Kafka refused the one record of `failed` for good.
[[nodiscard]] Error refusal_error(const FailedBatch& failed, const std::string& brokers);

// That a record is larger than our own limit, so that librdkafka does not take it.
struct OversizedRecord {
  std::string topic;
  std::string event_id;
  std::uint64_t bytes = 0;
  std::string limit_bytes;  // message.max.bytes
};
[[nodiscard]] Error oversized_error(const OversizedRecord& record);

}  // namespace walpost
