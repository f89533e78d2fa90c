#pragma once

#include <cstdint>
#include <string>

#include "connection.h"
#include "second_connection.h"
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

  [[nodiscard]] WaitFor wait_for() const { return connection_.wait_for(); }

 private:
  SlotWaitReportOptions options_;
  Log log_;
  SecondConnection connection_;
  bool failure_logged_ = false;
};

}  // namespace walpost
