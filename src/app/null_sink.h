#pragma once

#include <cstdint>
#include <vector>

#include "walpost/sink.h"

namespace walpost {

// A Sink that keeps nothing: every record counts as delivered at once. For measuring everything
// before it.
class NullSink final : public Sink {
 public:
  [[nodiscard]] bool try_send(const Record& record, Ticket ticket) override;
  void drain_reports(std::vector<DeliveryReport>& reports) override;
  void restart() override;
  [[nodiscard]] bool is_reachable() const override { return true; }
  [[nodiscard]] WaitFor wait_for() const override;

  [[nodiscard]] std::uint64_t record_count() const noexcept { return record_count_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  std::vector<DeliveryReport> reports_;  // as many as the caller lets be in flight
  std::uint64_t record_count_ = 0;       // since the start of the process
  std::uint64_t bytes_ = 0;
};

}  // namespace walpost
