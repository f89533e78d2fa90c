#include "debezium_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "debezium_parts.h"
#include "walpost/check.h"
#include "walpost/nearest_name.h"

namespace walpost {
namespace {

using Verdict = DebeziumVerdict;

// ${provider:path:key}, which Kafka Connect's worker replaces by what it looks up.
bool has_provider_reference(std::string_view text) {
  while (true) {
    const std::size_t begin = text.find("${");
    if (begin == std::string_view::npos) return false;
    text.remove_prefix(begin + 2);
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos) return false;
    if (text.substr(0, end).find(':') != std::string_view::npos) return true;
  }
}

struct Scoped {
  DebeziumScope scope;
  std::string_view name;  // without the scope's prefix
};

Scoped scoped(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, DebeziumScope>, 4> kPrefixes{{
      {"producer.override.", DebeziumScope::kProducer},
      {"key.converter.", DebeziumScope::kConverter},
      {"value.converter.", DebeziumScope::kConverter},
      {"header.converter.", DebeziumScope::kConverter},
  }};
  for (const auto& [prefix, scope] : kPrefixes) {
    if (name.starts_with(prefix)) return {scope, name.substr(prefix.size())};
  }
  return {DebeziumScope::kConnector, name};
}

bool is_of_transforms(std::string_view name) {
  return name == "transforms" || name == "predicates" || name.starts_with("transforms.") ||
         name.starts_with("predicates.");
}

bool can_be_left_out(std::string_view name) {
  return name == "database.password" || name == "database.sslpassword";
}

// Values that only Kafka Connect's worker can look up are of no use to the other parts.
void note_provider_references(DebeziumNotes& notes, const DebeziumSettings& settings) {
  for (const auto& [name, text] : settings) {
    if (!has_provider_reference(text)) continue;
    const auto [scope, short_name] = scoped(name);
    const DebeziumRow* row = find_debezium_row(scope, short_name);
    const bool is_idle =
        row != nullptr && (row->use == DebeziumUse::kNoEffect || row->use == DebeziumUse::kWarned);
    if (is_idle || (row == nullptr && !is_of_transforms(name))) continue;
    notes.set_unusable(name);
    if (can_be_left_out(name)) {
      notes.note(name, Verdict::kWarned, "dbname",
                 "a config provider of Kafka Connect has it: give it in PGPASSWORD, a password "
                 "file or --dbname");
    } else {
      notes.refuse(name, row == nullptr ? "" : row->option,
                   "a config provider of Kafka Connect has it: give the value itself");
    }
  }
}

void note_switch(DebeziumNotes& notes, std::string_view name, const DebeziumRow& row) {
  notes.become(name, row.option, lower_case(trimmed_as_java(*notes.text(name))), row.reason);
}

bool writes_schemas(const DebeziumNotes& notes) {
  return std::ranges::any_of(
      std::array{"key-format", "value-format", "header-format"}, [&](const char* option) {
        return notes.texts_of(option) == std::vector<std::string>{"json-schema"};
      });
}

void note_missing(DebeziumNotes& notes) {
  constexpr std::string_view kReason = "missing: Debezium does not start without it";
  if (!notes.is_in_file("connector.class")) notes.refuse("connector.class", "", kReason);
  if (!notes.is_in_file("topic.prefix") && !notes.is_in_file("database.server.name")) {
    notes.refuse("topic.prefix", "topic-prefix", kReason);
  }
  if (!notes.is_in_file("plugin.name")) {
    notes.note("plugin.name", Verdict::kWarned, "",
               "missing: Debezium's default is decoderbufs, walpost reads pgoutput; a slot of "
               "another plug-in cannot be taken over");
  }
}

void note_snapshot_mode(DebeziumNotes& notes) {
  constexpr std::string_view kName = "snapshot.mode";
  const std::string mode = lower_case(trimmed_as_java(notes.text(kName).value_or("initial")));
  const std::string_view reason = find_debezium_row(DebeziumScope::kConnector, kName)->reason;
  if (is_one_of(mode, "no_data|never")) {
    notes.note(kName, Verdict::kNotNeeded, "", reason);
  } else if (is_one_of(mode, "initial|always|when_needed|exported")) {
    notes.note(
        kName, Verdict::kWarned, "",
        fmt::format("{}{}", notes.is_in_file(kName) ? "" : "initial, the default: ", reason));
  } else {
    notes.refuse(kName, "", reason);
  }
}

void note_defaults(DebeziumNotes& notes) {
  for (const auto& [name, value] : debezium_defaults()) {
    const DebeziumRow* row = find_debezium_row(DebeziumScope::kConnector, name);
    notes.become_default(name, row->option, std::string(value), "Debezium's default");
  }
  notes.become_default("ts_ms", "record-timestamp", "now",
                       "without a timestamp Debezium's records have the time of processing, "
                       "walpost's own the commit's");
}

}  // namespace

std::string_view trimmed_as_java(std::string_view text) noexcept {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return lower;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view part = trimmed_as_java(text.substr(0, end));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool is_one_of(std::string_view text, std::string_view words) {
  const std::string lower = lower_case(trimmed_as_java(text));
  while (true) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (lower == lower_case(words.substr(0, end))) return true;
    if (end == words.size()) return false;
    words.remove_prefix(end + 1);
  }
}

void note_by_row(DebeziumNotes& notes, std::string_view name, const DebeziumRow& row) {
  const auto text = notes.text(name);
  if (!text) return;  // noted as a config provider's
  switch (row.use) {
    case DebeziumUse::kText:
      return notes.become(name, row.option, std::string(*text), row.reason);
    case DebeziumUse::kWord:
      return notes.become(name, row.option, std::string(trimmed_as_java(*text)), row.reason);
    case DebeziumUse::kColumn:
      if (!text->empty()) return notes.become(name, row.option, std::string(*text), row.reason);
      return notes.refuse(name, row.option, "is empty; leave it out instead");
    case DebeziumUse::kSwitch:
      return note_switch(notes, name, row);
    case DebeziumUse::kProperty:
      return notes.append(name, row.option,
                          fmt::format("{}={}", row.argument, trimmed_as_java(*text)), row.reason);
    case DebeziumUse::kTogether:
      return;  // its own part notes it
    case DebeziumUse::kNoEffect:
      return notes.note(name, Verdict::kNotNeeded, "", row.reason);
    case DebeziumUse::kOnly:
      return notes.note(name,
                        is_one_of(*text, row.argument) ? Verdict::kNotNeeded : Verdict::kRefused,
                        row.option, row.reason);
    case DebeziumUse::kOnlyWithSchemas: {
      const bool is_harmless = is_one_of(*text, row.argument) || !writes_schemas(notes);
      return notes.note(name, is_harmless ? Verdict::kNotNeeded : Verdict::kRefused, row.option,
                        row.reason);
    }
    case DebeziumUse::kOnlyElseWarned:
      return notes.note(name,
                        is_one_of(*text, row.argument) ? Verdict::kNotNeeded : Verdict::kWarned,
                        row.option, row.reason);
    case DebeziumUse::kRefused:
      return notes.refuse(name, row.option, row.reason);
    case DebeziumUse::kWarned:
      return notes.note(name, Verdict::kWarned, row.option, row.reason);
  }
  CHECK(false);
}

void note_unknown(DebeziumNotes& notes, std::string_view name, DebeziumScope scope,
                  std::string_view name_in_scope) {
  std::vector<std::string> names;
  for (const DebeziumRow& row : debezium_table()) {
    if (row.scope == scope && !row.name.ends_with('*')) names.emplace_back(row.name);
  }
  std::string reason = "unknown: Debezium would ignore it";
  if (scope == DebeziumScope::kProducer) reason = "unknown; librdkafka's own are given with -X";
  if (scope == DebeziumScope::kConnector &&
      find_debezium_row(DebeziumScope::kRouter, name_in_scope) != nullptr) {
    reason = fmt::format("reaches the router as transforms.<alias>.{} only: Debezium ignores it",
                         name_in_scope);
  } else if (const auto nearest = nearest_name(name_in_scope, names)) {
    const std::string_view prefix = name.substr(0, name.size() - name_in_scope.size());
    reason += fmt::format("; did you mean {}{}?", prefix, *nearest);
  }
  notes.note(name, Verdict::kWarned, "", reason);
}

DebeziumConfig translate_debezium(const DebeziumSettings& settings) {
  DebeziumNotes notes(settings);
  note_provider_references(notes, settings);
  translate_connection(notes);
  translate_tables(notes);
  const DebeziumRouter router = translate_transforms(notes);
  translate_converters(notes, router);
  translate_producer_security(notes);
  translate_topic_creation(notes);
  for (const auto& [name, text] : settings) {
    if (is_of_transforms(name)) continue;
    const auto [scope, name_in_scope] = scoped(name);
    if (const DebeziumRow* row = find_debezium_row(scope, name_in_scope)) {
      note_by_row(notes, name, *row);
    } else {
      note_unknown(notes, name, scope, name_in_scope);
    }
  }
  note_snapshot_mode(notes);
  note_missing(notes);
  note_defaults(notes);
  return notes.finish();
}

std::string_view verdict_name(DebeziumVerdict verdict) noexcept {
  switch (verdict) {
    case Verdict::kApplied:
      return "applied";
    case Verdict::kOverridden:
      return "overridden";
    case Verdict::kNotNeeded:
      return "not needed";
    case Verdict::kWarned:
      return "warning";
    case Verdict::kRefused:
      return "refused";
  }
  CHECK(false);
}

}  // namespace walpost
