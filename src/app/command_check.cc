#include <algorithm>
#include <utility>

#include "commands.h"
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

}  // namespace

int check(const Options& options) {
  validate_for_streaming(options);
  auto [findings, outlook] = postgres_findings(options);
  if (options.sink == SinkKind::kKafka) {
    for (Finding& finding : examine_kafka(options)) findings.push_back(std::move(finding));
  }
  // Errors first, whichever side they are of.
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  print(options.json ? findings_json(findings) : findings_text(findings, outlook));
  return has_errors(findings) ? static_cast<int>(ExitCode::kPostgresSetup) : 0;
}

}  // namespace walpost
