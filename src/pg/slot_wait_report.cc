#include "slot_wait_report.h"

#include <chrono>
#include <utility>

#include "walpost/error.h"

namespace walpost {
namespace {

// Late enough that the ordinary wait of a moment is not worth a line, and often enough that who
// watches sees it go on.
constexpr std::chrono::seconds kInterval{5};

}  // namespace

SlotWaitReport::SlotWaitReport(SlotWaitReportOptions options, const Clock& clock, Log log)
    : options_(std::move(options)),
      log_(std::move(log)),
      connection_(options_.conninfo, clock, clock.now() + kInterval) {}

void SlotWaitReport::poll() {
  try {
    if (connection_.is_due()) {
      connection_.ask(options_.endpoint, slot_blockers_sql(options_.backend_pid));
    }
    const auto results = connection_.poll();
    if (!results) return;
    log_(LogLevel::kWarn, slot_blockers_text(result_at(*results, 0), options_.kind),
         {{"hint", "end these transactions: SELECT pg_terminate_backend(PID);"}});
  } catch (const Error& error) {
    if (!std::exchange(failure_logged_, true)) {
      log_(LogLevel::kWarn, "setting up waits for the server, which does not say for whom",
           {{"error", error.what()}, {"hint", error.hint()}});
    }
  }
  connection_.close();
  connection_.pause(kInterval);
}

}  // namespace walpost
