#include "kafka_consumer.h"

#include <algorithm>
#include <stdexcept>

#include "kafka_message.h"

namespace walpost::test {
namespace {

constexpr int kRequestMs = 30'000;

int partition_count(rd_kafka_t* client, const std::string& name) {
  const KafkaTopic topic(rd_kafka_topic_new(client, name.c_str(), nullptr),
                         &rd_kafka_topic_destroy);
  const rd_kafka_metadata_t* raw = nullptr;
  check_kafka(rd_kafka_metadata(client, 0, topic.get(), &raw, kRequestMs), name);
  const KafkaMetadata metadata(raw, &rd_kafka_metadata_destroy);
  check_kafka(metadata->topics[0].err, name);
  return metadata->topics[0].partition_cnt;
}

}  // namespace

std::optional<std::string> KafkaRecord::header(const std::string& name) const {
  const auto found = std::ranges::find(headers, name, &KafkaHeader::name);
  return found == headers.end() ? std::nullopt : found->value;
}

KafkaConsumer::KafkaConsumer(const std::string& bootstrap, const std::vector<std::string>& topics,
                             const KafkaProperties& properties)
    : client_(make_client(RD_KAFKA_CONSUMER, consumer_properties(bootstrap, properties))) {
  rd_kafka_poll_set_consumer(client_.get());
  const KafkaPartitions assignment(rd_kafka_topic_partition_list_new(1),
                                   &rd_kafka_topic_partition_list_destroy);
  for (const std::string& topic : topics) {
    const int count = partition_count(client_.get(), topic);
    for (std::int32_t number = 0; number < count; ++number) {
      partitions_.push_back({topic, number, 0});
      rd_kafka_topic_partition_list_add(assignment.get(), topic.c_str(), number)->offset =
          RD_KAFKA_OFFSET_BEGINNING;
    }
  }
  check_kafka(rd_kafka_assign(client_.get(), assignment.get()), "assign");
}

KafkaConsumer::~KafkaConsumer() { rd_kafka_consumer_close(client_.get()); }

std::optional<KafkaRecord> KafkaConsumer::next(std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (auto left = limit; left.count() >= 0;
       left = std::chrono::duration_cast<std::chrono::milliseconds>(
           deadline - std::chrono::steady_clock::now())) {
    const KafkaMessage message(
        rd_kafka_consumer_poll(client_.get(), static_cast<int>(left.count())),
        &rd_kafka_message_destroy);
    if (!message) return std::nullopt;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      KafkaRecord record = record_of(message.get());
      const auto partition = std::ranges::find_if(partitions_, [&](const Partition& p) {
        return p.number == record.partition && p.topic == record.topic;
      });
      partition->next_offset = record.offset + 1;
      return record;
    }
    // Errors of the connection pass: a test may have stopped the broker. Others say that records
    // cannot be read at all.
    if (message->err != RD_KAFKA_RESP_ERR__TRANSPORT &&
        message->err != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN &&
        message->err != RD_KAFKA_RESP_ERR__RESOLVE) {
      throw std::runtime_error(rd_kafka_message_errstr(message.get()));
    }
  }
  return std::nullopt;
}

std::vector<KafkaRecord> KafkaConsumer::take(std::size_t count, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  std::vector<KafkaRecord> records;
  while (records.size() < count) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    auto record = next(std::max(left, std::chrono::milliseconds(0)));
    if (!record) {
      throw std::runtime_error("only " + std::to_string(records.size()) + " of " +
                               std::to_string(count) + " records came");
    }
    records.push_back(std::move(*record));
  }
  return records;
}

std::vector<std::int64_t> KafkaConsumer::ends() {
  std::vector<std::int64_t> result;
  for (Partition& partition : partitions_) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    check_kafka(rd_kafka_query_watermark_offsets(client_.get(), partition.topic.c_str(),
                                                 partition.number, &low, &high, kRequestMs),
                partition.topic);
    partition.next_offset = std::max(partition.next_offset, low);
    result.push_back(high);
  }
  return result;
}

void KafkaConsumer::for_each_to_end(const std::function<void(const KafkaRecord&)>& visit) {
  const std::vector<std::int64_t> end_offsets = ends();
  const auto at_end = [&] {
    return std::ranges::equal(partitions_, end_offsets, std::ranges::greater_equal{},
                              &Partition::next_offset);
  };
  while (!at_end()) {
    const auto record = next(kPatience);
    if (!record) throw std::runtime_error("a topic's end was not reached");
    visit(*record);
  }
}

std::vector<KafkaRecord> KafkaConsumer::take_to_end() {
  std::vector<KafkaRecord> records;
  for_each_to_end([&](const KafkaRecord& record) { records.push_back(record); });
  return records;
}

std::vector<KafkaRecord> read_topics(const std::string& bootstrap,
                                     const std::vector<std::string>& topics) {
  return KafkaConsumer(bootstrap, topics).take_to_end();
}

}  // namespace walpost::test
