#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "connection.h"
#include "setup_plan.h"
#include "walpost/clock.h"
#include "walpost/log.h"
#include "walpost/wait.h"

namespace walpost {

struct SlotWaitReportOptions {
  std::string conninfo;
  Endpoint endpoint;             // of the connection that waits: no name is resolved
  std::int64_t backend_pid = 0;  // of the connection that waits
  StepKind kind = StepKind::kSlot;
};

// Says again and again whom one step of setting up waits for, over a second connection, since the
// first one is busy waiting. What goes wrong here never disturbs the step: it is logged once. Never
// blocks. One thread.
class SlotWaitReport final {
 public:
  // When the step begins. `clock` must outlive the report.
  SlotWaitReport(SlotWaitReportOptions options, const Clock& clock, Log log);

  // Goes on with what is under way; never throws an Error.
  void poll();

  [[nodiscard]] WaitFor wait_for() const;

 private:
  enum class Phase { kPausing, kLogin, kAsking };

  void advance();
  void pause();

  SlotWaitReportOptions options_;
  const Clock& clock_;
  Log log_;
  Phase phase_ = Phase::kPausing;
  std::unique_ptr<Connection> connection_;
  TimePoint next_;        // end of the pause
  TimePoint deadline_{};  // of the answer under way
  bool failure_logged_ = false;
};

}  // namespace walpost
