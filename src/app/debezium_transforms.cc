#include <fmt/format.h>

#include <algorithm>

#include "debezium_parts.h"
#include "option_values.h"
#include "walpost/error.h"
#include "walpost/outbox_columns.h"
#include "walpost/topic_route.h"

namespace walpost {
namespace {

using Verdict = DebeziumVerdict;

constexpr std::string_view kRouterClass = "io.debezium.transforms.outbox.EventRouter";

// The class without its package, which Kafka Connect takes too.
std::string_view simple_name(std::string_view type) {
  const std::size_t dot = type.rfind('.');
  return dot == std::string_view::npos ? type : type.substr(dot + 1);
}

bool is_router(std::string_view type) { return type == kRouterClass || type == "EventRouter"; }

std::string type_of(const DebeziumNotes& notes, std::string_view alias) {
  const auto text = notes.text(fmt::format("transforms.{}.type", alias));
  return std::string(trimmed_as_java(text.value_or("")));
}

void note_settings_of(DebeziumNotes& notes, std::string_view prefix, std::string_view reason) {
  for (const std::string& name : notes.names_with_prefix(prefix)) {
    notes.note(name, Verdict::kNotNeeded, "", reason);
  }
}

// A transformation beside the router.
void note_other(DebeziumNotes& notes, std::string_view alias, bool is_before) {
  const std::string prefix = fmt::format("transforms.{}.", alias);
  note_settings_of(notes, prefix, fmt::format("of the transformation {}", alias));
  const std::string type = type_of(notes, alias);
  notes.refuse(
      prefix + "type", "",
      fmt::format("{} runs {} the router and may change {}; walpost has the router alone",
                  type.empty() ? "a transformation without a type" : simple_name(type),
                  is_before ? "before" : "after", is_before ? "what it is given" : "its records"));
}

// The topics that change events of the tables have before the router.
std::vector<std::string> table_topics(const DebeziumNotes& notes) {
  const auto prefix =
      notes.text(notes.is_in_file("topic.prefix") ? "topic.prefix" : "database.server.name");
  std::vector<std::string> topics;
  for (const std::string& table : notes.texts_of("table")) {
    topics.push_back(fmt::format("{}.{}", prefix.value_or(""), table));
  }
  return topics;
}

// As java.util.regex.Matcher.matches(). Throws Error for an expression that PCRE2 reads otherwise.
bool matches_whole(std::string_view pattern, std::string_view text) {
  constexpr std::string_view kMark = "\x7f";  // in no topic, and no blank that is trimmed
  const TopicRoute route(fmt::format("(?:{})", pattern), kMark);
  return route.topic(text).find(kMark) != std::string::npos;
}

// Why the predicate keeps the router from a table; empty: it does not.
std::string why_predicate_matters(const DebeziumNotes& notes, std::string_view predicate,
                                  bool is_negated) {
  const std::string prefix = fmt::format("predicates.{}.", predicate);
  const std::string type(trimmed_as_java(notes.text(prefix + "type").value_or("")));
  const std::string_view kind = simple_name(type);
  if (kind == "RecordIsTombstone" && is_negated) return {};
  if (kind != "TopicNameMatches") {
    return fmt::format("the predicate {} is {}: walpost routes every row of the outbox tables",
                       predicate, type.empty() ? "not there" : kind);
  }
  const std::string_view pattern = trimmed_as_java(notes.text(prefix + "pattern").value_or(""));
  try {
    for (const std::string& topic : table_topics(notes)) {
      if (matches_whole(pattern, topic) != is_negated) continue;
      return fmt::format(
          "the router would not be applied to {}: walpost routes every row of the "
          "outbox tables",
          topic);
    }
  } catch (const Error& error) {
    return fmt::format("the pattern of {} cannot be read: {}", predicate, error.what());
  }
  return {};
}

void note_predicate(DebeziumNotes& notes, std::string_view alias) {
  const std::string name = fmt::format("transforms.{}.predicate", alias);
  const std::string negate = fmt::format("transforms.{}.negate", alias);
  const auto negated = notes.text(negate);
  if (negated && !is_one_of(*negated, "true|false")) {
    notes.refuse(negate, "", "must be true or false");
  } else if (negated) {
    notes.note(negate, Verdict::kNotNeeded, "", "of the predicate");
  }
  const auto text = notes.text(name);
  if (!text) return;
  const std::string_view predicate = trimmed_as_java(*text);
  const std::string why =
      why_predicate_matters(notes, predicate, negated && is_one_of(*negated, "true"));
  if (why.empty()) {
    notes.note(
        name, Verdict::kNotNeeded, "",
        fmt::format("{} holds for every outbox table, and walpost reads no other", predicate));
  } else {
    notes.refuse(name, "", why);
  }
}

// What Debezium finds out at the first row is refused here: a group that the regex lacks.
void check_route(DebeziumNotes& notes, const std::string& prefix) {
  const RouterOptions defaults;
  const auto regex = notes.texts_of("route-topic-regex");
  const auto replacement = notes.texts_of("route-topic-replacement");
  if (regex.empty() && replacement.empty()) return;
  try {
    static_cast<void>(TopicRoute(regex.empty() ? std::string_view(defaults.route_topic_regex)
                                               : std::string_view(regex.front()),
                                 replacement.empty()
                                     ? std::string_view(defaults.route_topic_replacement)
                                     : std::string_view(replacement.front())));
  } catch (const Error& error) {
    const bool is_regex = replacement.empty();
    notes.refuse(prefix + (is_regex ? "route.topic.regex" : "route.topic.replacement"),
                 is_regex ? "route-topic-regex" : "route-topic-replacement", error.what());
  }
}

void note_router(DebeziumNotes& notes, DebeziumRouter& router) {
  const std::string prefix = fmt::format("transforms.{}.", router.alias);
  for (const std::string& name : notes.names_with_prefix(prefix)) {
    const std::string_view rest = std::string_view(name).substr(prefix.size());
    if (const DebeziumRow* row = find_debezium_row(DebeziumScope::kRouter, rest)) {
      note_by_row(notes, name, *row);
    } else {
      note_unknown(notes, name, DebeziumScope::kRouter, rest);
    }
  }
  notes.note(prefix + "type", Verdict::kApplied, "", "what walpost is");
  note_predicate(notes, router.alias);
  check_route(notes, prefix);
  const auto placement = notes.texts_of("table-fields-additional-placement");
  if (!placement.empty()) {
    Options options;
    find_option("table-fields-additional-placement")->set(options, placement);
    router.has_envelope = std::ranges::any_of(
        options.columns.additional,
        [](const AdditionalField& field) { return field.placement == Placement::kEnvelope; });
  }
  router.expands_json =
      notes.texts_of("table-expand-json-payload") == std::vector<std::string>{"true"};
}

// What nobody else has noted: settings of transformations and predicates that are not in use.
void note_rest(DebeziumNotes& notes) {
  if (notes.text("predicates")) {
    notes.note("predicates", Verdict::kNotNeeded, "", "see the router's predicate");
  }
  note_settings_of(notes, "predicates.", "see the router's predicate");
  note_settings_of(notes, "transforms.", "not among transforms: Kafka Connect ignores it");
}

}  // namespace

DebeziumRouter translate_transforms(DebeziumNotes& notes) {
  note_rest(notes);
  DebeziumRouter router;
  std::vector<std::string> aliases = split_list(notes.text("transforms").value_or(""));
  const auto first = std::ranges::find_if(
      aliases, [&](const std::string& alias) { return is_router(type_of(notes, alias)); });
  if (first == aliases.end()) {
    for (const std::string& alias : aliases) {
      note_settings_of(notes, fmt::format("transforms.{}.", alias), "not of the router");
    }
    notes.refuse("transforms", "",
                 fmt::format("{} is not among them: the connector sends change events as they are, "
                             "which walpost does not",
                             kRouterClass));
    return router;
  }
  router.alias = *first;
  notes.note("transforms", Verdict::kApplied, "", fmt::format("the router is {}", router.alias));
  bool is_before = true;
  for (const std::string& alias : aliases) {
    if (alias == router.alias) {
      is_before = false;
    } else {
      note_other(notes, alias, is_before);
    }
  }
  note_router(notes, router);
  return router;
}

}  // namespace walpost
