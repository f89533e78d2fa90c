#include "kafka_admin.h"

#include <array>
#include <span>
#include <stdexcept>
#include <string_view>

#include "poll_until.h"

namespace walpost::test {
namespace {

using Queue = std::unique_ptr<rd_kafka_queue_t, decltype(&rd_kafka_queue_destroy)>;
using Event = std::unique_ptr<rd_kafka_event_t, decltype(&rd_kafka_event_destroy)>;
using NewTopic = std::unique_ptr<rd_kafka_NewTopic_t, decltype(&rd_kafka_NewTopic_destroy)>;
using DeleteTopic =
    std::unique_ptr<rd_kafka_DeleteTopic_t, decltype(&rd_kafka_DeleteTopic_destroy)>;
using ConfigResource =
    std::unique_ptr<rd_kafka_ConfigResource_t, decltype(&rd_kafka_ConfigResource_destroy)>;

constexpr int kRequestMs = 30'000;
constexpr std::size_t kErrorTextBytes = 512;
using ErrorText = std::array<char, kErrorTextBytes>;

void check(rd_kafka_resp_err_t error, const char* text) {
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return;
  throw std::runtime_error(text != nullptr ? text : rd_kafka_err2str(error));
}

// Waits for the answer to the one request that was sent with this queue.
Event answer(rd_kafka_queue_t* queue) {
  Event event(rd_kafka_queue_poll(queue, kRequestMs), &rd_kafka_event_destroy);
  if (!event) throw std::runtime_error("no answer to an administrative request");
  check(rd_kafka_event_error(event.get()), rd_kafka_event_error_string(event.get()));
  return event;
}

void check_topics(const rd_kafka_topic_result_t** topics, std::size_t count) {
  for (const auto* topic : std::span(topics, count)) {
    check(rd_kafka_topic_result_error(topic), rd_kafka_topic_result_error_string(topic));
  }
}

using Metadata = std::unique_ptr<const rd_kafka_metadata_t, decltype(&rd_kafka_metadata_destroy)>;

// Nothing while no broker answers.
Metadata metadata_of(rd_kafka_t* client) {
  constexpr int kAttemptMs = 2000;
  const rd_kafka_metadata_t* raw = nullptr;
  rd_kafka_metadata(client, 1, nullptr, &raw, kAttemptMs);
  return {raw, &rd_kafka_metadata_destroy};
}

const rd_kafka_metadata_topic_t* find_topic(const rd_kafka_metadata_t* metadata,
                                            std::string_view name) {
  if (metadata == nullptr) return nullptr;
  for (const auto& topic :
       std::span(metadata->topics, static_cast<std::size_t>(metadata->topic_cnt))) {
    if (topic.topic == name) return &topic;
  }
  return nullptr;
}

bool has_leaders(const rd_kafka_metadata_topic_t* topic, int partitions) {
  if (topic == nullptr || topic->partition_cnt != partitions) return false;
  for (const auto& partition :
       std::span(topic->partitions, static_cast<std::size_t>(topic->partition_cnt))) {
    if (partition.leader < 0) return false;
  }
  return true;
}

}  // namespace

RdKafka make_client(rd_kafka_type_t type, const KafkaProperties& properties) {
  ErrorText error{};
  std::unique_ptr<rd_kafka_conf_t, decltype(&rd_kafka_conf_destroy)> conf(rd_kafka_conf_new(),
                                                                          &rd_kafka_conf_destroy);
  for (const auto& [name, value] : properties) {
    if (rd_kafka_conf_set(conf.get(), name.c_str(), value.c_str(), error.data(), error.size()) !=
        RD_KAFKA_CONF_OK) {
      throw std::runtime_error(error.data());
    }
  }
  // A broker that a test has stopped is no news.
  rd_kafka_conf_set_log_cb(conf.get(), [](const rd_kafka_t*, int, const char*, const char*) {});
  RdKafka client(rd_kafka_new(type, conf.get(), error.data(), error.size()), &rd_kafka_destroy);
  if (!client) throw std::runtime_error(error.data());
  static_cast<void>(conf.release());  // the client owns it now
  return client;
}

KafkaAdmin::KafkaAdmin(const std::string& bootstrap)
    : client_(make_client(RD_KAFKA_PRODUCER, {{"bootstrap.servers", bootstrap}})) {}

void KafkaAdmin::create_topic(const std::string& name, const TopicOptions& options) {
  ErrorText error{};
  NewTopic topic(rd_kafka_NewTopic_new(name.c_str(), options.partitions, options.replication_factor,
                                       error.data(), error.size()),
                 &rd_kafka_NewTopic_destroy);
  if (!topic) throw std::runtime_error(error.data());
  for (const auto& [key, value] : options.configs) {
    check(rd_kafka_NewTopic_set_config(topic.get(), key.c_str(), value.c_str()), nullptr);
  }
  const Queue queue(rd_kafka_queue_new(client_.get()), &rd_kafka_queue_destroy);
  std::array topics{topic.get()};
  rd_kafka_CreateTopics(client_.get(), topics.data(), topics.size(), nullptr, queue.get());
  const Event event = answer(queue.get());
  std::size_t count = 0;
  const auto* result = rd_kafka_event_CreateTopics_result(event.get());
  check_topics(rd_kafka_CreateTopics_result_topics(result, &count), count);
  poll_until("topic " + name + " has leaders", kPatience, [&] {
    const Metadata metadata = metadata_of(client_.get());
    return has_leaders(find_topic(metadata.get(), name), options.partitions);
  });
}

void KafkaAdmin::delete_topic(const std::string& name) {
  const DeleteTopic topic(rd_kafka_DeleteTopic_new(name.c_str()), &rd_kafka_DeleteTopic_destroy);
  const Queue queue(rd_kafka_queue_new(client_.get()), &rd_kafka_queue_destroy);
  std::array topics{topic.get()};
  rd_kafka_DeleteTopics(client_.get(), topics.data(), topics.size(), nullptr, queue.get());
  const Event event = answer(queue.get());
  std::size_t count = 0;
  const auto* result = rd_kafka_event_DeleteTopics_result(event.get());
  check_topics(rd_kafka_DeleteTopics_result_topics(result, &count), count);
  poll_until("topic " + name + " is gone", kPatience, [&] {
    const Metadata metadata = metadata_of(client_.get());
    return metadata && find_topic(metadata.get(), name) == nullptr;
  });
}

void KafkaAdmin::set_topic_configs(const std::string& name, const KafkaProperties& configs) {
  const ConfigResource resource(rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, name.c_str()),
                                &rd_kafka_ConfigResource_destroy);
  for (const auto& [key, value] : configs) {
    check(rd_kafka_ConfigResource_set_config(resource.get(), key.c_str(), value.c_str()), nullptr);
  }
  const Queue queue(rd_kafka_queue_new(client_.get()), &rd_kafka_queue_destroy);
  std::array resources{resource.get()};
  rd_kafka_AlterConfigs(client_.get(), resources.data(), resources.size(), nullptr, queue.get());
  const Event event = answer(queue.get());
  std::size_t count = 0;
  const auto* result = rd_kafka_event_AlterConfigs_result(event.get());
  const auto** answers = rd_kafka_AlterConfigs_result_resources(result, &count);
  for (const auto* altered : std::span(answers, count)) {
    check(rd_kafka_ConfigResource_error(altered), rd_kafka_ConfigResource_error_string(altered));
  }
}

void KafkaAdmin::wait_for_brokers(std::size_t count) {
  poll_until(std::to_string(count) + " Kafka brokers", kPatience, [&] {
    const Metadata metadata = metadata_of(client_.get());
    return metadata && static_cast<std::size_t>(metadata->broker_cnt) == count;
  });
}

}  // namespace walpost::test
