#include "model_broker.h"

#include <iterator>
#include <memory>
#include <numeric>
#include <optional>

namespace walpost::sim {

bool ModelSink::try_send(const Record& record, Ticket ticket) {
  if (lost_) throw_lost();
  if (sends_until_loss_ && (*sends_until_loss_)-- == 0) {
    lose();
    throw_lost();
  }
  if (full_) return false;
  if (refuses_next_send_) {
    refuses_next_send_ = false;
    ++calls_with_effect_;
    throw Error(ExitCode::kUndeliverable, "no topic can have this name");
  }
  InFlight sent{.record = {.number = std::stoull(std::string(record.event_id)),
                           .topic = std::string(record.topic),
                           .key = std::string(record.key.value()),
                           .value = std::string(record.value.value_or("NULL"))},
                .ticket = ticket,
                .bytes = size_of(record),
                .generation = 0};
  sent.generation = on_sent(sent.record.number);
  const auto partition =
      std::accumulate(sent.record.key.begin(), sent.record.key.end(), std::uint64_t{0}) %
      ModelBroker::kPartitions;
  ++in_flight_records_;
  in_flight_bytes_ += sent.bytes;
  ++calls_with_effect_;
  partitions_[{sent.record.topic, partition}].queued.push_back(std::move(sent));
  return true;
}

void ModelSink::drain_reports(std::vector<DeliveryReport>& reports) {
  for (Ready& ready : ready_) {
    --in_flight_records_;
    in_flight_bytes_ -= ready.record.bytes;
    DeliveryReport report{.ticket = ready.record.ticket, .bytes = ready.record.bytes};
    if (ready.refused) {
      report.refusal = std::make_unique<Error>(ExitCode::kUndeliverable, "too large");
    } else {
      on_acked(ready.record.record.number, ready.record.generation);
    }
    reports.push_back(std::move(report));
    ++calls_with_effect_;
  }
  ready_.clear();
  if (lost_) throw_lost();
}

void ModelSink::restart() {
  if (!lost_) violations_.add("Sink::restart() although the client is not lost");
  lost_ = false;
  ready_.clear();
  in_flight_records_ = 0;
  in_flight_bytes_ = 0;
  ++calls_with_effect_;
}

bool ModelSink::pump() {
  if (partitions_.empty() || lost_) return false;
  auto chosen = partitions_.begin();
  std::advance(chosen, random_.below(partitions_.size()));
  Partition& partition = chosen->second;
  if (!partition.written.empty() && random_.percent(50)) {
    ready_.push_back({std::move(partition.written.front())});
    partition.written.pop_front();
    return true;
  }
  if (partition.queued.empty()) return false;
  write_or_refuse(partition);
  return true;
}

void ModelSink::write_or_refuse(Partition& partition) {
  InFlight next = std::move(partition.queued.front());
  if (!partition.refused && !broker_.poison.contains(next.record.number)) {
    partition.queued.pop_front();
    broker_.append(next.record);
    partition.written.push_back(std::move(next));
  } else if (!partition.refused || random_.percent(10)) {
    // What waits behind a refused record may be given back as refused too, or stay for ever.
    partition.refused = true;
    partition.queued.pop_front();
    ready_.push_back({std::move(next), true});
  } else {
    partition.queued.front() = std::move(next);
  }
}

void ModelSink::lose() {
  abandon();
  lost_ = true;
}

void ModelSink::abandon() {
  for (auto& [place, partition] : partitions_) {
    auto count = random_.below(partition.queued.size() + 1);
    for (; count > 0 && !partition.refused; --count) {
      if (broker_.poison.contains(partition.queued.front().record.number)) break;
      broker_.append(std::move(partition.queued.front().record));
      partition.queued.pop_front();
    }
  }
  partitions_.clear();
  sends_until_loss_.reset();
}

void ModelSink::throw_lost() const {
  throw Error::retryable(ExitCode::kUndeliverable, "the producer is gone");
}

}  // namespace walpost::sim
