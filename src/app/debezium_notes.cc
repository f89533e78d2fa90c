#include "debezium_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "option_values.h"
#include "walpost/check.h"

namespace walpost {
namespace {

// By the words in the name, so that names of later versions are covered too.
bool is_secret(std::string_view name) {
  constexpr std::array<std::string_view, 6> kWords{"password", "secret",   "jaas",
                                                   "token",    "keystore", "credential"};
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

}  // namespace

DebeziumNotes::DebeziumNotes(const DebeziumSettings& settings) {
  for (const auto& [name, text] : settings) {
    places_.emplace(name, states_.size());
    states_.push_back({.text = text});
    config_.entries.push_back({.name = name});
  }
}

std::optional<std::string_view> DebeziumNotes::text(std::string_view name) const {
  const auto place = places_.find(name);
  if (place == places_.end() || !states_[place->second].is_usable) return std::nullopt;
  return states_[place->second].text;
}

void DebeziumNotes::set_unusable(std::string_view name) {
  const auto place = places_.find(name);
  CHECK(place != places_.end());
  states_[place->second].is_usable = false;
}

DebeziumEntry& DebeziumNotes::entry(std::string_view name) {
  if (const auto place = places_.find(name); place != places_.end()) {
    states_[place->second].is_noted = true;
    return config_.entries[place->second];
  }
  const auto absent = std::ranges::find_if(config_.entries, [&](const DebeziumEntry& other) {
    return other.is_absent && other.name == name;
  });
  if (absent != config_.entries.end()) return *absent;
  return config_.entries.emplace_back(
      DebeziumEntry{.name = std::string(name), .value = {}, .is_absent = true});
}

void DebeziumNotes::note(std::string_view name, DebeziumVerdict verdict, std::string_view option,
                         std::string_view reason) {
  DebeziumEntry& noted = entry(name);
  noted.verdict = verdict;
  noted.option = option;
  noted.reason = reason;
  // Of a name that means nothing to us, the value may be anything.
  const bool is_known =
      verdict == DebeziumVerdict::kApplied || verdict == DebeziumVerdict::kRefused;
  const auto given = text(name);
  if (given && is_known) noted.value = is_secret(name) ? "********" : *given;
}

bool DebeziumNotes::is_taken(std::string_view name, const OptionRow& row,
                             const std::vector<std::string>& texts) {
  try {
    Options options;
    row.set(options, texts);
    return true;
  } catch (const BadValue& error) {
    refuse(name, row.name, error.what());
    return false;
  }
}

DebeziumConfig::Applied& DebeziumNotes::applied(const OptionRow& row, std::string_view name) {
  const auto same = std::ranges::find(config_.applied, &row, &DebeziumConfig::Applied::row);
  if (same != config_.applied.end()) return *same;
  return config_.applied.emplace_back(
      DebeziumConfig::Applied{.row = &row, .texts = {}, .entry = std::string(name)});
}

void DebeziumNotes::become(std::string_view name, std::string_view option, const std::string& text,
                           std::string_view reason) {
  const OptionRow* row = find_option(option);
  CHECK(row != nullptr);
  if (!is_taken(name, *row, {text})) return;
  DebeziumConfig::Applied& place = applied(*row, name);
  place.texts = {text};
  place.entry = name;
  note(name, DebeziumVerdict::kApplied, option, reason);
}

void DebeziumNotes::append(std::string_view name, std::string_view option, const std::string& text,
                           std::string_view reason) {
  const OptionRow* row = find_option(option);
  CHECK(row != nullptr && row->kind == OptionKind::kList);
  if (!is_taken(name, *row, {text})) return;
  DebeziumConfig::Applied& place = applied(*row, name);
  place.texts.push_back(text);
  // What their names have in common.
  if (place.entry != name) {
    const auto [end, other] = std::ranges::mismatch(place.entry, name);
    place.entry = std::string(place.entry.begin(), end) + "*";
  }
  note(name, DebeziumVerdict::kApplied, option, reason);
}

void DebeziumNotes::become_default(std::string_view name, std::string_view option,
                                   const std::string& text, std::string_view reason) {
  if (is_in_file(name)) return;
  become(name, option, text, reason);
  entry(name).value = text;
}

void DebeziumNotes::imply(std::string_view name, std::string_view option, const std::string& text) {
  const OptionRow* row = find_option(option);
  CHECK(row != nullptr);
  applied(*row, name).texts = {text};
}

void DebeziumNotes::name_origin(std::string_view option, std::string_view names) {
  const OptionRow* row = find_option(option);
  CHECK(row != nullptr);
  applied(*row, names).entry = names;
}

std::vector<std::string> DebeziumNotes::names_with_prefix(std::string_view prefix) const {
  std::vector<std::string> names;
  for (const DebeziumEntry& entry : config_.entries) {
    if (!entry.is_absent && entry.name.starts_with(prefix)) names.push_back(entry.name);
  }
  return names;
}

std::vector<std::string> DebeziumNotes::texts_of(std::string_view option) const {
  const OptionRow* row = find_option(option);
  const auto found = std::ranges::find(config_.applied, row, &DebeziumConfig::Applied::row);
  return found == config_.applied.end() ? std::vector<std::string>{} : found->texts;
}

bool DebeziumNotes::is_refused(std::string_view name) const {
  return std::ranges::any_of(config_.entries, [&](const DebeziumEntry& other) {
    return other.name == name && other.verdict == DebeziumVerdict::kRefused;
  });
}

DebeziumConfig DebeziumNotes::finish() {
  for (const State& state : states_) CHECK(state.is_noted);
  return std::move(config_);
}

}  // namespace walpost
