#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kafka_broker.h"
#include "kafka_consumer.h"
#include "postgres_server.h"
#include "topic_tails.h"
#include "vector.h"

namespace walpost::test {

// As many as the recorder's broker gives a topic.
inline constexpr int kPartitions = 8;

// What walpost made of a vector.
struct Replayed {
  int exit_code = 0;
  std::string log;
  std::vector<KafkaRecord> records;
  // Since 1970; a record's time of processing lies between.
  std::int64_t begun_ms = 0;
  std::int64_t ended_ms = 0;
};

// Runs vectors through walpost, one after another, on one PostgreSQL and one Kafka.
class Replay final {
 public:
  Replay();

  [[nodiscard]] Replayed run(const Vector& vector);

 private:
  void empty_database();
  // Runs walpost up to what is committed now, and returns its exit code.
  [[nodiscard]] int publish(const Vector& vector, Replayed& replayed);
  [[nodiscard]] std::vector<std::string> arguments(const Vector& vector) const;

  PostgresServer postgres_;
  KafkaBroker kafka_;
  TopicTails tails_;
};

// `records`, `refused at start`, `stopped`; for any other exit code its number, which no vector
// has.
[[nodiscard]] std::string outcome_of(int exit_code);

// What walpost gave, in the form of `expected.walpost` in the vectors.
[[nodiscard]] std::string as_json(const Replayed& replayed);

// What is wrong with it, in lines of text; empty if nothing is.
[[nodiscard]] std::string deviation(const Vector& vector, const Replayed& replayed);

}  // namespace walpost::test
