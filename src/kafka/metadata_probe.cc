#include "metadata_probe.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace walpost {
namespace {

// How long one question waits. Short, since it also delays the end of a client; it grows for a
// cluster that is there but slow.
constexpr std::chrono::milliseconds kFirstTimeout{1'000};
constexpr std::chrono::milliseconds kLongestTimeout{8'000};

struct MetadataDeleter {
  void operator()(const rd_kafka_metadata_t* metadata) const noexcept {
    rd_kafka_metadata_destroy(metadata);
  }
};

// The client's own topics; all the cluster's while it has none yet, which happens at the start.
ProbeResult fetch(rd_kafka_t* client, std::chrono::milliseconds timeout) {
  const rd_kafka_metadata_t* raw = nullptr;
  const rd_kafka_resp_err_t error =
      rd_kafka_metadata(client, 0, nullptr, &raw, static_cast<int>(timeout.count()));
  const std::unique_ptr<const rd_kafka_metadata_t, MetadataDeleter> metadata(raw);
  ProbeResult result{.error = error, .topics = {}};
  if (metadata == nullptr) {
    return result;
  }
  for (int i = 0; i < metadata->topic_cnt; ++i) {
    result.topics.push_back(topic_metadata(metadata->topics[i]));
  }
  return result;
}

}  // namespace

TopicMetadata topic_metadata(const rd_kafka_metadata_topic& topic) {
  const bool is_empty = topic.err == RD_KAFKA_RESP_ERR_NO_ERROR && topic.partition_cnt == 0;
  return {.name = topic.topic,
          .error = is_empty ? RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE : topic.err,
          .partition_count = topic.partition_cnt};
}

MetadataProbe::MetadataProbe(rd_kafka_s* client, const EventFd& wake)
    : client_(client), wake_(wake), thread_([this](const std::stop_token& stop) { run(stop); }) {}

MetadataProbe::~MetadataProbe() {
  thread_.request_stop();
  thread_.join();
}

void MetadataProbe::ask() {
  {
    const std::lock_guard lock(mutex_);
    is_asked_ = true;
  }
  changed_.notify_one();
}

bool MetadataProbe::is_busy() const {
  const std::lock_guard lock(mutex_);
  return is_asked_ || is_running_ || result_.has_value();
}

std::optional<ProbeResult> MetadataProbe::take_result() {
  const std::lock_guard lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

void MetadataProbe::run(const std::stop_token& stop) {
  std::chrono::milliseconds timeout = kFirstTimeout;
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return is_asked_; }) && !stop.stop_requested()) {
    is_asked_ = false;
    is_running_ = true;
    lock.unlock();
    ProbeResult result = fetch(client_, timeout);
    if (result.error == RD_KAFKA_RESP_ERR__TIMED_OUT) {
      timeout = std::min(2 * timeout, kLongestTimeout);
    }
    lock.lock();
    is_running_ = false;
    result_ = std::move(result);
    wake_.signal();
  }
}

}  // namespace walpost
