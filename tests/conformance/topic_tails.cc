#include "topic_tails.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "kafka_message.h"

namespace walpost::test {
namespace {

constexpr int kRequestMs = 30'000;

}  // namespace

TopicTails::TopicTails(const std::string& bootstrap)
    : client_(make_client(RD_KAFKA_CONSUMER, consumer_properties(bootstrap))) {
  rd_kafka_poll_set_consumer(client_.get());
}

std::map<std::string, int> TopicTails::topics_there() {
  const rd_kafka_metadata_t* raw = nullptr;
  check_kafka(rd_kafka_metadata(client_.get(), 1, nullptr, &raw, kRequestMs), "metadata");
  const KafkaMetadata metadata(raw, &rd_kafka_metadata_destroy);
  std::map<std::string, int> result;
  for (int i = 0; i < metadata->topic_cnt; ++i) {
    const rd_kafka_metadata_topic_t& topic = metadata->topics[i];
    result.emplace(topic.topic, topic.partition_cnt);
  }
  return result;
}

KafkaPartitions TopicTails::ends_of(const std::map<std::string, int>& topics) {
  KafkaPartitions ends(rd_kafka_topic_partition_list_new(8),
                       &rd_kafka_topic_partition_list_destroy);
  for (const auto& [name, count] : topics) {
    for (std::int32_t number = 0; number < count; ++number) {
      rd_kafka_topic_partition_list_add(ends.get(), name.c_str(), number);
    }
  }
  if (ends->cnt == 0) return ends;
  // A partition that was just made may have no leader yet.
  poll_until("the ends of all partitions", kPatience, [&] {
    const std::span parts(ends->elems, static_cast<std::size_t>(ends->cnt));
    for (rd_kafka_topic_partition_t& part : parts) part.offset = RD_KAFKA_OFFSET_END;
    const auto error = rd_kafka_offsets_for_times(client_.get(), ends.get(), kRequestMs);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return false;
    return std::ranges::all_of(parts, [](const rd_kafka_topic_partition_t& part) {
      return part.err == RD_KAFKA_RESP_ERR_NO_ERROR;
    });
  });
  return ends;
}

std::vector<KafkaRecord> TopicTails::take() {
  const KafkaPartitions ends = ends_of(topics_there());
  const KafkaPartitions assignment(rd_kafka_topic_partition_list_new(8),
                                   &rd_kafka_topic_partition_list_destroy);
  std::size_t expected = 0;
  for (int i = 0; i < ends->cnt; ++i) {
    const rd_kafka_topic_partition_t& end = ends->elems[i];
    std::int64_t& next = next_offsets_[{end.topic, end.partition}];
    if (end.offset <= next) continue;
    rd_kafka_topic_partition_list_add(assignment.get(), end.topic, end.partition)->offset = next;
    expected += static_cast<std::size_t>(end.offset - next);
    next = end.offset;
  }
  check_kafka(rd_kafka_assign(client_.get(), assignment.get()), "assign");
  std::vector<KafkaRecord> records;
  while (records.size() < expected) {
    const KafkaMessage message(
        rd_kafka_consumer_poll(client_.get(),
                               static_cast<int>(kPatience / std::chrono::milliseconds(1))),
        &rd_kafka_message_destroy);
    if (!message) throw std::runtime_error("records that the broker has do not come");
    check_kafka(message->err, "consume");
    records.push_back(record_of(message.get()));
  }
  check_kafka(rd_kafka_assign(client_.get(), nullptr), "assign");
  return records;
}

}  // namespace walpost::test
