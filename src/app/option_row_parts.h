#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "option_table.h"

namespace walpost {

// What OptionRow::set is made of: a member of Options, and a function that reads its text.

using Texts = std::span<const std::string>;

template <auto member, auto parse>
void set_one(Options& options, Texts texts) {
  options.*member = parse(texts.front());
}

// A member of a part of Options.
template <auto part, auto member, auto parse>
void set_in(Options& options, Texts texts) {
  (options.*part).*member = parse(texts.front());
}

template <auto member, auto parse>
void set_list(Options& options, Texts texts) {
  auto& list = options.*member;
  list.clear();
  for (const std::string& text : texts) list.push_back(parse(text));
}

inline constexpr CommandSet kAll =
    set_of(Command::kRun, Command::kSetup, Command::kCheck, Command::kStatus, Command::kTeardown,
           Command::kConfigShow);
// What streams, and what looks at the same options without streaming.
inline constexpr CommandSet kStreaming =
    set_of(Command::kRun, Command::kCheck, Command::kConfigShow);
inline constexpr CommandSet kRouting = kStreaming | set_of(Command::kSetup);
inline constexpr CommandSet kServing = kStreaming | set_of(Command::kStatus);

inline constexpr auto kSwitch = OptionKind::kSwitch;
inline constexpr auto kValue = OptionKind::kValue;
inline constexpr auto kList = OptionKind::kList;

inline std::string parse_text(std::string_view text) { return std::string(text); }

}  // namespace walpost
