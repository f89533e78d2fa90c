#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "print.h"
#include "sql_session.h"
#include "status_report.h"
#include "walpost/wait.h"
#include "wanted.h"

namespace walpost {
namespace {

constexpr std::chrono::seconds kWatchInterval{1};

void add_process(StatusReport& report, const Options& options, const ServerState& server) {
  if (options.no_http) {
    report.process_note = "not asked (--no-http)";
    return;
  }
  const std::string address = fmt::format("{}:{}", options.http.host, options.http.port);
  const std::optional<ProcessStatus> process = fetch_process_status(options.http);
  if (!process) {
    report.process_note = fmt::format("does not answer at {}", address);
  } else if (process->slot != report.slot) {
    report.process_note = fmt::format("at {} streams another slot, {}", address, process->slot);
  } else if (!serves_slot(*process, server, report.slot)) {
    report.process_note = fmt::format(
        "at {} streams a slot of this name, but not known to be of this server", address);
  } else {
    report.process = process;
  }
}

StatusReport read_report(SqlSession& session, const Wanted& wanted, const Options& options) {
  const ServerState server = read_server_state(session, wanted);
  StatusReport report;
  report.slot = wanted.slot;
  report.publication = wanted.publication;
  report.database = server.database;
  report.server_version = server.version;
  add_process(report, options, server);
  // Last, so that the lag is not older than what is printed beside it.
  report.slot_status = parse_slot_status(session.query(slot_status_sql(wanted, true)), wanted);
  judge(report, options);
  return report;
}

void show(const StatusReport& report, const Options& options) {
  print(options.json ? status_json(report) : status_text(report));
}

// Until interrupted; a server that is away for a while is waited for.
[[noreturn]] void watch(const Wanted& wanted, const Options& options) {
  const SystemClock clock;
  std::unique_ptr<SqlSession> session;
  while (true) {
    const TimePoint next = clock.now() + kWatchInterval;
    try {
      if (!session) session = std::make_unique<SqlSession>(options.conninfo);
      show(read_report(*session, wanted, options), options);
      if (!options.json) print("\n");
    } catch (const Error& error) {
      if (!error.is_retryable()) throw;
      fmt::print(stderr, "walpost: {}\n", error.what());
      session.reset();
    }
    while (clock.now() < next) wait_for_any({}, next, clock);
  }
}

}  // namespace

int status(const Options& options) {
  const Wanted wanted = wanted_of(options);
  if (options.watch) watch(wanted, options);
  SqlSession session(options.conninfo);
  const StatusReport report = read_report(session, wanted, options);
  show(report, options);
  return static_cast<int>(report.verdict);
}

}  // namespace walpost
