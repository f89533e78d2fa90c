#include "null_sink.h"

#include <iterator>

namespace walpost {

bool NullSink::try_send(const Record& record, Ticket ticket) {
  const std::uint64_t size = size_of(record);
  reports_.push_back({.ticket = ticket, .bytes = size, .refusal = nullptr});
  ++record_count_;
  bytes_ += size;
  return true;
}

void NullSink::drain_reports(std::vector<DeliveryReport>& reports) {
  reports.insert(reports.end(), std::make_move_iterator(reports_.begin()),
                 std::make_move_iterator(reports_.end()));
  reports_.clear();
}

void NullSink::restart() { reports_.clear(); }

WaitFor NullSink::wait_for() const {
  WaitFor wait;
  if (!reports_.empty()) {
    wait.at = TimePoint();  // long past: at once
  }
  return wait;
}

}  // namespace walpost
