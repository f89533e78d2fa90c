#include "debezium_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "debezium_table.h"
#include "json_writer.h"
#include "walpost/check.h"

namespace walpost {
namespace {

using Verdict = DebeziumVerdict;

// "slot.name = debezium (not in the file)".
std::string shown(const DebeziumEntry& entry) {
  std::string text = entry.name;
  if (!entry.value.empty()) text += fmt::format(" = {}", entry.value);
  if (entry.is_absent) text += " (not in the file)";
  return text;
}

// "--slot: Debezium's default".
std::string becomes(const DebeziumEntry& entry) {
  const bool has_option =
      (entry.verdict == Verdict::kApplied || entry.verdict == Verdict::kOverridden) &&
      !entry.option.empty();
  std::string text = has_option ? fmt::format("--{}", entry.option) : "";
  if (entry.verdict == Verdict::kOverridden) text += " is given otherwise";
  if (!entry.reason.empty()) text += (text.empty() ? "" : ": ") + entry.reason;
  return text;
}

}  // namespace

std::string debezium_text(std::span<const DebeziumEntry> entries) {
  std::string text;
  for (const DebeziumEntry& entry : entries) {
    text += fmt::format("{:<10} {}\n", verdict_name(entry.verdict), shown(entry));
    if (const std::string more = becomes(entry); !more.empty()) text += "           " + more + '\n';
  }
  return text.empty() ? text : text + '\n';
}

void put_debezium_entries(JsonWriter& json, std::span<const DebeziumEntry> entries) {
  if (entries.empty()) return;
  json.begin_array("debezium_config");
  for (const DebeziumEntry& entry : entries) {
    json.begin_object();
    json.put("entry", std::string_view(entry.name));
    json.put("value", std::string_view(entry.value));
    json.put("in_file", !entry.is_absent);
    json.put("verdict", verdict_name(entry.verdict));
    json.put("option", std::string_view(entry.option));
    json.put("reason", std::string_view(entry.reason));
    json.end_object();
  }
  json.end_array();
}

std::vector<Finding> debezium_findings(std::span<const DebeziumEntry> entries) {
  std::vector<Finding> findings;
  for (const DebeziumEntry& entry : entries) {
    const bool is_refused = entry.verdict == Verdict::kRefused;
    if (!is_refused && entry.verdict != Verdict::kWarned) continue;
    findings.push_back({.severity = is_refused ? Severity::kError : Severity::kWarning,
                        .what = fmt::format("--debezium-config: {} is not applied", shown(entry)),
                        .why = entry.reason,
                        .mend = {}});
  }
  return findings;
}

std::string debezium_comments(std::span<const DebeziumEntry> entries) {
  std::string text;
  for (const DebeziumEntry& entry : entries) {
    if (entry.verdict == Verdict::kApplied) continue;
    text += fmt::format("# {} is not applied ({}): {}\n", entry.name, verdict_name(entry.verdict),
                        becomes(entry));
  }
  return text;
}

void log_debezium_entries(std::span<const DebeziumEntry> entries, const Log& log) {
  for (const DebeziumEntry& entry : entries) {
    if (entry.verdict == Verdict::kApplied) continue;
    const LogLevel level = entry.verdict == Verdict::kWarned ? LogLevel::kWarn : LogLevel::kInfo;
    log(level, "an entry of --debezium-config is not applied",
        {{"entry", entry.name},
         {"verdict", std::string(verdict_name(entry.verdict))},
         {"reason", becomes(entry)}});
  }
}

void refuse_debezium_entries(std::span<const DebeziumEntry> entries, const std::string& path) {
  const auto is_refused = [](const DebeziumEntry& entry) {
    return entry.verdict == Verdict::kRefused;
  };
  const auto first = std::ranges::find_if(entries, is_refused);
  if (first == entries.end()) return;
  const auto others = std::ranges::count_if(entries, is_refused) - 1;
  throw Error(
      ExitCode::kUsage,
      fmt::format("--debezium-config: {}: {}: {}{}", path, shown(*first), first->reason,
                  others == 0 ? "" : fmt::format(" (and {} more)", others)),
      fmt::format("walpost check --debezium-config {} tells what becomes of every entry", path));
}

namespace {

std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

// What the page says of a row's use.
std::string use_text(const DebeziumRow& row) {
  std::string option = row.option.empty() ? "" : fmt::format("`--{}`", row.option);
  const auto only = [&](std::string_view otherwise) {
    std::string values = row.argument.empty() ? "the empty text" : "";
    std::string_view rest = row.argument;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      values += fmt::format("{}`{}`", values.empty() ? "" : ", ", rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return fmt::format("{}: no effect; else {}", values, otherwise);
  };
  switch (row.use) {
    case DebeziumUse::kText:
    case DebeziumUse::kWord:
    case DebeziumUse::kColumn:
    case DebeziumUse::kSwitch:
      return option;
    case DebeziumUse::kProperty:
      return fmt::format("`-X {}`", row.argument);
    case DebeziumUse::kTogether:
      return option.empty() ? "see right" : option;
    case DebeziumUse::kNoEffect:
      return "no effect on records";
    case DebeziumUse::kOnly:
      return only("refused");
    case DebeziumUse::kOnlyWithSchemas:
      return only("refused under `json-schema`");
    case DebeziumUse::kOnlyElseWarned:
      return only("a warning");
    case DebeziumUse::kRefused:
      return "refused";
    case DebeziumUse::kWarned:
      return "a warning";
  }
  CHECK(false);
}

constexpr std::string_view kPageHead = R"(# Entries of a connector's configuration

Printed by `walpost debezium-page`; edit `src/app/debezium_*_rows.h` instead. What `--debezium-config`
is, and the rules for what is not in this list: [DEBEZIUM.md](DEBEZIUM.md).

An option in the second column holds the entry. "No effect on records": not applied, and no record is
different for it. "Refused": walpost does not run, because records would be different. A star stands
for any rest of a name; the longest name that fits counts.
)";

}  // namespace

std::string debezium_page() {
  constexpr std::array<std::pair<DebeziumScope, std::string_view>, 4> kScopes{{
      {DebeziumScope::kRouter, "The router: `transforms.<alias>.…`"},
      {DebeziumScope::kConnector, "Connector and Kafka Connect"},
      {DebeziumScope::kConverter,
       "Converters: `key.converter.…`, `value.converter.…`, `header.converter.…`"},
      {DebeziumScope::kProducer, "The producer: `producer.override.…`"},
  }};
  std::string page(kPageHead);
  for (const auto& [scope, title] : kScopes) {
    page += fmt::format("\n## {}\n\n| entry | becomes | remark |\n|---|---|---|\n", title);
    for (const DebeziumRow& row : debezium_table()) {
      if (row.scope != scope) continue;
      page += fmt::format("| `{}` | {} | {} |\n", row.name, in_cell(use_text(row)),
                          in_cell(row.reason));
    }
  }
  page +=
      "\n## Where the file is silent\n\n| entry | Debezium's default | walpost's own "
      "|\n|---|---|---|\n";
  for (const auto& [name, value] : debezium_defaults()) {
    const DebeziumRow* row = find_debezium_row(DebeziumScope::kConnector, name);
    const std::string_view own = find_option(row->option)->default_text;
    page += fmt::format("| `{}` | `{}` | `{}` |\n", name, value, own);
  }
  return page +
         "| time of a record without a timestamp | the time of processing | the commit's |\n";
}

}  // namespace walpost
