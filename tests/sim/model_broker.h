#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "random.h"
#include "violations.h"
#include "walpost/sink.h"

namespace walpost::sim {

// A topic's partition.
using Place = std::pair<std::string, std::uint64_t>;

struct StoredRecord {
  std::uint64_t number = 0;  // of the event
  std::string topic;
  std::string key;
  std::string value;
};

// The logs of a Kafka cluster: what a consumer sees, for ever.
class ModelBroker final {
 public:
  static constexpr std::uint64_t kPartitions = 3;

  std::function<void(const StoredRecord&)> on_append;
  std::set<std::uint64_t> poison;  // events that are refused for good

  void append(StoredRecord record) {
    stored_.insert(record.number);
    ++appended_;
    on_append(record);
  }
  [[nodiscard]] bool has(std::uint64_t event) const { return stored_.contains(event); }
  [[nodiscard]] const std::set<std::uint64_t>& stored() const { return stored_; }
  [[nodiscard]] std::uint64_t appended() const { return appended_; }

 private:
  std::set<std::uint64_t> stored_;
  std::uint64_t appended_ = 0;
};

// A producer with the promises of sink.h: order within a partition, none after a refusal.
class ModelSink final : public Sink {
 public:
  ModelSink(ModelBroker& broker, Random& random, Violations& violations)
      : broker_(broker), random_(random), violations_(violations) {}
  // A producer that dies leaves behind whatever was already written.
  ~ModelSink() override { abandon(); }

  [[nodiscard]] bool try_send(const Record& record, Ticket ticket) override;
  void drain_reports(std::vector<DeliveryReport>& reports) override;
  void restart() override;
  [[nodiscard]] bool is_reachable() const override { return true; }
  [[nodiscard]] WaitFor wait_for() const override { return {}; }

  // One unit of the producer's and the broker's work. False: nothing to do.
  bool pump();
  // Faults.
  void lose();
  void lose_after_sends(std::uint64_t sends) { sends_until_loss_ = sends; }
  void set_full(bool full) { full_ = full; }
  // try_send() itself refuses the next record, as it does a topic name that Kafka cannot have.
  void refuse_next_send() { refuses_next_send_ = true; }

  // Observers. The answer to a sent event is the generation of the connection that brought it.
  std::function<std::uint64_t(std::uint64_t event)> on_sent;
  std::function<void(std::uint64_t event, std::uint64_t generation)> on_acked;
  [[nodiscard]] std::uint64_t in_flight_records() const { return in_flight_records_; }
  [[nodiscard]] bool is_lost() const { return lost_; }
  [[nodiscard]] std::uint64_t in_flight_bytes() const { return in_flight_bytes_; }
  [[nodiscard]] std::uint64_t calls_with_effect() const { return calls_with_effect_; }

 private:
  struct InFlight {
    StoredRecord record;
    Ticket ticket;
    std::uint64_t bytes = 0;
    std::uint64_t generation = 0;
  };
  struct Partition {
    std::deque<InFlight> queued;   // not written yet
    std::deque<InFlight> written;  // and not acknowledged yet
    bool refused = false;
  };
  struct Ready {
    InFlight record;
    bool refused = false;
  };

  void write_or_refuse(Partition& partition);
  void abandon();
  [[noreturn]] void throw_lost() const;

  ModelBroker& broker_;
  Random& random_;
  Violations& violations_;
  std::map<Place, Partition> partitions_;
  std::deque<Ready> ready_;
  std::uint64_t in_flight_records_ = 0;
  std::uint64_t in_flight_bytes_ = 0;
  std::uint64_t calls_with_effect_ = 0;
  std::optional<std::uint64_t> sends_until_loss_;
  bool lost_ = false;
  bool full_ = false;
  bool refuses_next_send_ = false;
};

}  // namespace walpost::sim
