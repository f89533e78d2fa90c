#include "findings_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "debezium_report.h"
#include "json_writer.h"
#include "log_line.h"
#include "walpost/check.h"

namespace walpost {
namespace {

std::string_view severity_name(Severity severity) noexcept {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kInfo:
      return "info";
  }
  CHECK(false);
}

auto count_of(std::span<const Finding> findings, Severity severity) {
  return std::ranges::count(findings, severity, &Finding::severity);
}

std::string plural(std::ptrdiff_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// Each line of `text` after `indent` blanks.
std::string indented(std::string_view text, std::size_t indent) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += fmt::format("{:{}}{}\n", "", indent, without_control(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace

bool has_errors(std::span<const Finding> findings) noexcept {
  return count_of(findings, Severity::kError) > 0;
}

std::string findings_text(std::span<const Finding> findings, RunOutlook outlook) {
  std::string text;
  for (const Finding& finding : findings) {
    text +=
        fmt::format("{:<8} {}\n", severity_name(finding.severity), without_control(finding.what));
    text += indented(finding.why, 9);
    if (!finding.mend.empty()) text += "         mend it with:\n" + indented(finding.mend, 11);
  }
  if (!findings.empty()) text += '\n';
  if (has_errors(findings)) {
    return text + fmt::format("{}, {}: run would {}\n",
                              plural(count_of(findings, Severity::kError), "error"),
                              plural(count_of(findings, Severity::kWarning), "warning"),
                              outlook == RunOutlook::kRefuses ? "refuse to start"
                                                              : "start, but could not deliver");
  }
  return text + fmt::format("no errors, {}: run can start\n",
                            plural(count_of(findings, Severity::kWarning), "warning"));
}

std::string findings_json(std::span<const Finding> findings,
                          std::span<const DebeziumEntry> debezium_entries) {
  JsonWriter json;
  json.begin_object();
  json.put("ok", !has_errors(findings));
  json.begin_array("findings");
  for (const Finding& finding : findings) {
    json.begin_object();
    json.put("severity", severity_name(finding.severity));
    json.put("what", finding.what);
    json.put("why", finding.why);
    json.put("mend", finding.mend);
    json.end_object();
  }
  json.end_array();
  put_debezium_entries(json, debezium_entries);
  json.end_object();
  return json.text() + '\n';
}

}  // namespace walpost
