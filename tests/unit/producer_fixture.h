#pragma once

#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "embedded_broker.h"
#include "producer.h"
#include "walpost/clock.h"
#include "walpost/log.h"

namespace walpost {

class SteadyClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return std::chrono::steady_clock::now(); }
  [[nodiscard]] PgTimestamp wall_now() const override { return {}; }
};

// What one record looks like to a consumer.
struct Consumed {
  std::int32_t partition = 0;
  std::optional<std::string> key;
  std::optional<std::string> value;
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;
  std::int64_t timestamp_ms = 0;
};

// A Producer before librdkafka's mock cluster, which speaks the protocol over loopback.
class ProducerTest : public testing::Test {
 protected:
  static constexpr std::chrono::seconds kPatience{20};

  // Values for KafkaSettings::properties.
  using Properties = std::vector<std::pair<std::string, std::string>>;

  void start(Properties properties = {});
  // The same, with everything but brokers and properties as in `options`.
  void start(ProducerOptions options, Properties properties = {});

  // Calls drain_reports() as the loop would, until `is_done`. A test failure after kPatience.
  // An Error of the producer ends it too, and is returned.
  std::optional<Error> pump(const std::function<bool()>& is_done);
  // Sends a record, waiting for as long as the producer says "not now".
  std::optional<Error> send(const std::string& topic, const std::string& value,
                            std::optional<std::string> key = "k");
  std::optional<Error> send(const Record& record);
  // Waits until everything sent has its report.
  std::optional<Error> wait_for_reports();
  [[nodiscard]] bool has_logged(const std::string& part) const;

  // All records of the topic, read by a consumer of its own, in the order of each partition.
  std::vector<Consumed> consume(const std::string& topic, std::size_t count, int partitions = 4);
  std::vector<std::string> values(const std::string& topic, std::size_t count);

  [[nodiscard]] rd_kafka_mock_cluster_s* mock() const { return broker_.handle(); }

  SteadyClock clock_;
  EmbeddedBroker broker_{{}};
  std::vector<std::string> log_lines_;
  std::unique_ptr<Producer> producer_;
  std::vector<DeliveryReport> reports_;
  std::uint64_t last_ticket_ = 0;
};

}  // namespace walpost
