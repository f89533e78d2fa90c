#include <algorithm>
#include <iterator>
#include <utility>

#include "commands.h"
#include "debezium_report.h"
#include "findings.h"
#include "findings_text.h"
#include "kafka_findings.h"
#include "print.h"
#include "sql_session.h"
#include "validate_options.h"
#include "wanted.h"

namespace walpost {
namespace {

struct PostgresFindings {
  std::vector<Finding> findings;
  RunOutlook outlook = RunOutlook::kWaits;
};

// A server that cannot be asked is a finding like others, so that Kafka is looked at all the same.
PostgresFindings postgres_findings(const Options& options) {
  const Wanted wanted = wanted_of(options);
  try {
    SqlSession session(options.conninfo);
    std::vector<Finding> findings = examine(read_server_state(session, wanted), wanted);
    const RunOutlook outlook = has_errors(findings) ? RunOutlook::kRefuses : RunOutlook::kWaits;
    return {.findings = std::move(findings), .outlook = outlook};
  } catch (const Error& error) {
    if (error.exit_code() == ExitCode::kUsage) throw;
    return {.findings = {{.severity = Severity::kError,
                          .what = error.what(),
                          .why = "nothing can be said about slot, publication and tables",
                          .mend = error.hint()}},
            .outlook = error.is_retryable() ? RunOutlook::kWaits : RunOutlook::kRefuses};
  }
}

// A configuration that cannot stream ends `check` at once, as it ends `run`; but what becomes of a
// connector's entries is told all the same, so that it is a finding then. True: it can.
bool find_usage_errors(const Options& options, bool as_findings, std::vector<Finding>& findings) {
  try {
    validate_for_streaming(options);
    return !as_findings || !has_errors(findings);
  } catch (const Error& error) {
    if (!as_findings) throw;
    findings.push_back({.severity = Severity::kError,
                        .what = error.what(),
                        .why = "run does not start",
                        .mend = error.hint()});
    return false;
  }
}

}  // namespace

int check(const Options& options, std::span<const DebeziumEntry> debezium_entries) {
  std::vector<Finding> findings = debezium_findings(debezium_entries);
  const bool can_stream = find_usage_errors(options, !debezium_entries.empty(), findings);
  RunOutlook outlook = has_errors(findings) ? RunOutlook::kRefuses : RunOutlook::kWaits;
  if (can_stream) {
    PostgresFindings postgres = postgres_findings(options);
    std::ranges::move(postgres.findings, std::back_inserter(findings));
    if (postgres.outlook == RunOutlook::kRefuses) outlook = RunOutlook::kRefuses;
    if (options.sink == SinkKind::kKafka) {
      std::ranges::move(examine_kafka(options), std::back_inserter(findings));
    }
  }
  // Errors first, whichever side they are of.
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  print(options.json ? findings_json(findings, debezium_entries)
                     : debezium_text(debezium_entries) + findings_text(findings, outlook));
  return has_errors(findings) ? static_cast<int>(ExitCode::kPostgresSetup) : 0;
}

}  // namespace walpost
