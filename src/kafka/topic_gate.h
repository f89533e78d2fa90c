#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metadata_probe.h"
#include "rdkafka_handles.h"
#include "topic_creation.h"
#include "topic_hint.h"
#include "topic_table.h"
#include "walpost/clock.h"
#include "walpost/log.h"
#include "walpost/record.h"

namespace walpost {

// What the gate must know of the options.
struct TopicGateOptions {
  TopicCreation creation = TopicCreation::kBroker;
  std::vector<std::pair<std::string, std::string>> config;
  std::chrono::milliseconds timeout{60'000};
  ClusterNames cluster;             // also how many partitions and replicas a created topic gets
  std::size_t most_topics = 4'096;  // per client
};

// Lets a record through only once its topic is known to exist and to be open to us. librdkafka
// itself would queue records of an unknown topic and fail them 30 s later, each by itself, so that
// later ones pass.
class TopicGate final {
 public:
  // `log` and `clock` must outlive the gate.
  TopicGate(TopicGateOptions options, const Log& log, const Clock& clock);

  // The topic of `record` when it is open; null: hold the record and offer it again, to another
  // client if needs_client().
  // Throws Error{kUndeliverable} for an invalid name, and once the topic's problem has lasted for
  // the timeout.
  [[nodiscard]] Topic* enter(const Record& record, rd_kafka_s* client);

  // True when the client knows so many topics that there is no room for the next one.
  [[nodiscard]] bool needs_client() const noexcept { return needs_client_; }

  // The cluster's answer about all topics.
  void apply(const ProbeResult& result, rd_kafka_s* client, rd_kafka_queue_s* queue);
  // The cluster's answer to the creation of topics (RD_KAFKA_EVENT_CREATETOPICS_RESULT).
  void apply_creation(rd_kafka_op_s* event);

  // Closes the topic until the cluster says again that it is open: librdkafka does not know it, or
  // its picture of it is stale.
  void close(Topic& topic);
  // The broker refused to write to a topic that its metadata show as open (no permission to write).
  void close_refused(Topic& topic, int error);
  // A record arrived: whatever was wrong with the topic is mended.
  static void note_delivered(Topic& topic) noexcept {
    if (topic.problem != 0) {
      clear_problem(topic);
    }
  }

  // Forgets the client, keeps what is known to be wrong.
  void reset_client();

  // When the cluster must be asked again. nullopt: no need.
  [[nodiscard]] std::optional<TimePoint> probe_at() const noexcept { return probe_at_; }
  void note_asked() noexcept { probe_at_.reset(); }

 private:
  static void clear_problem(Topic& topic) noexcept;
  Topic* enter_closed(const Record& record, rd_kafka_s* client);
  void open(Topic& topic, std::int32_t partition_count);
  void note_problem(Topic& topic, int error);
  void warn(const Topic& topic) const;
  void create(Topic& topic, rd_kafka_s* client, rd_kafka_queue_s* queue);
  void plan_probe(const ProbeResult& result);
  [[nodiscard]] std::string hint(const Topic& topic) const;

  TopicGateOptions options_;
  const Log& log_;
  const Clock& clock_;
  TopicTable topics_;
  bool needs_client_ = false;
  std::optional<TimePoint> probe_at_;
};

}  // namespace walpost
