#include "delivery_failure.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <bit>
#include <cstdint>

#include "kafka_error.h"
#include "topic_table.h"

namespace walpost {
namespace {

std::string refusal_hint(const FailedBatch& failed, const std::string& brokers) {
  if (failed.error == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE) {
    return fmt::format(
        "kafka-configs.sh --bootstrap-server {} --alter --topic '{}' --add-config "
        "max.message.bytes=BYTES",
        brokers, failed.topic->name);
  }
  return {};
}

}  // namespace

std::string event_id_of(const rd_kafka_message_s& message) {
  rd_kafka_headers_t* headers = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  const bool is_found =
      rd_kafka_message_headers(&message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR &&
      rd_kafka_header_get_last(headers, "id", &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR &&
      value != nullptr;
  return is_found ? std::string(static_cast<const char*>(value), size) : std::string();
}

void FailedBatch::add(const rd_kafka_message_s& message) {
  last_event_id = event_id_of(message);
  total_bytes += message.len + message.key_len;
  if (++record_count > 1) {
    return;
  }
  error = message.err;
  topic = static_cast<Topic*>(rd_kafka_topic_opaque(message.rkt));
  partition = message.partition;
  ticket = Ticket{std::bit_cast<std::uintptr_t>(message._private)};
  bytes = message.len + message.key_len;
  event_id = last_event_id;
}

Error refusal_error(const FailedBatch& failed, const std::string& brokers) {
  return Error(
      ExitCode::kUndeliverable,
      fmt::format("Kafka refused event id {} ({} bytes) for topic {}, partition {}: {}: {}",
                  failed.event_id, failed.bytes, failed.topic->name, failed.partition,
                  kafka_error_text(failed.error), kafka_error_rule(failed.error).sentence),
      refusal_hint(failed, brokers));
}

Error oversized_error(const OversizedRecord& record) {
  return Error(
      ExitCode::kUndeliverable,
      fmt::format("event id {} for topic {} has {} bytes; with its headers that is more than "
                  "message.max.bytes={}",
                  record.event_id, record.topic, record.bytes, record.limit_bytes),
      "-X message.max.bytes=BYTES, and the same or more as max.message.bytes of the topic");
}

}  // namespace walpost
