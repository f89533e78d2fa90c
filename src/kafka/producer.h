#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kafka_properties.h"
#include "walpost/clock.h"
#include "walpost/log.h"
#include "walpost/sink.h"

namespace walpost {

struct ProducerOptions {
  KafkaSettings kafka;
  TopicCreation topic_creation = TopicCreation::kBroker;
  // For TopicCreation::kCreate and for the command printed to the operator; -1: broker's default.
  std::int32_t topic_partitions = -1;
  std::int32_t topic_replication_factor = -1;
  std::vector<std::pair<std::string, std::string>> topic_config;  // --topic-config KEY=VALUE
  // How long a topic that is missing or not authorised holds the line.
  std::chrono::milliseconds topic_timeout{60'000};
  // Beyond this many topics a new client is made, once nothing is in flight. A topic costs about
  // 1 KB and 200 bytes per partition in librdkafka, which never forgets one.
  std::size_t topics_per_client = 4'096;
};

// Kafka as a Sink: idempotent, gapless, acks=all.
//
// A record whose topic is not ready (unknown yet, missing, not authorised) is not taken; the
// caller offers it again, so nothing is re-ordered meanwhile. A record that Kafka refuses for good
// ends the client, because nothing after it may reach its partition: its refusal is reported, the
// call after that throws, and restart() begins anew.
//
// `log` and `clock` must outlive the producer; everything but the log calls of librdkafka's own
// threads happens on the caller's thread.
class Producer final : public Sink {
 public:
  // Throws Error{kUsage} for properties that make_producer_conf() or librdkafka refuses. Does not
  // wait for a broker.
  Producer(const ProducerOptions& options, Log log, const Clock& clock);
  ~Producer() override;
  Producer(const Producer&) = delete;
  Producer& operator=(const Producer&) = delete;

  [[nodiscard]] bool try_send(const Record& record, Ticket ticket) override;
  void drain_reports(std::vector<DeliveryReport>& reports) override;
  void restart() override;
  [[nodiscard]] bool is_reachable() const override;
  [[nodiscard]] WaitFor wait_for() const override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace walpost
