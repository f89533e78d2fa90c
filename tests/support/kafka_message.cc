#include "kafka_message.h"

#include <stdexcept>

namespace walpost::test {
namespace {

std::optional<std::string> bytes_or_null(const void* data, std::size_t length) {
  if (data == nullptr) return std::nullopt;
  return std::string(static_cast<const char*>(data), length);
}

std::vector<KafkaHeader> headers_of(const rd_kafka_message_t* message) {
  std::vector<KafkaHeader> result;
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return result;
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t length = 0;
  for (std::size_t i = 0;
       rd_kafka_header_get_all(headers, i, &name, &value, &length) == RD_KAFKA_RESP_ERR_NO_ERROR;
       ++i) {
    result.push_back({name, bytes_or_null(value, length)});
  }
  return result;
}

}  // namespace

void check_kafka(rd_kafka_resp_err_t error, const std::string& what) {
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return;
  throw std::runtime_error(what + ": " + rd_kafka_err2str(error));
}

KafkaProperties consumer_properties(const std::string& bootstrap,
                                    const KafkaProperties& properties) {
  KafkaProperties all{{"bootstrap.servers", bootstrap},
                      {"group.id", "walpost-tests"},
                      {"enable.auto.commit", "false"},
                      {"enable.auto.offset.store", "false"},
                      {"allow.auto.create.topics", "false"},
                      {"auto.offset.reset", "error"},
                      {"fetch.wait.max.ms", "20"}};
  all.insert(all.end(), properties.begin(), properties.end());
  return all;
}

KafkaRecord record_of(const rd_kafka_message_t* message) {
  rd_kafka_timestamp_type_t type{};
  const std::chrono::milliseconds timestamp(rd_kafka_message_timestamp(message, &type));
  return {.topic = rd_kafka_topic_name(message->rkt),
          .partition = message->partition,
          .offset = message->offset,
          .key = bytes_or_null(message->key, message->key_len),
          .value = bytes_or_null(message->payload, message->len),
          .headers = headers_of(message),
          .timestamp = std::chrono::sys_time<std::chrono::milliseconds>(timestamp)};
}

}  // namespace walpost::test
