#define PCRE2_CODE_UNIT_WIDTH 8

#include "walpost/topic_route.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "java_regex.h"
#include "walpost/error.h"

namespace walpost {
namespace {

using CodePtr = std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)>;
using MatchPtr = std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;

PCRE2_SPTR as_pcre(std::string_view text) noexcept {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

std::string pcre_message(int code) {
  std::array<PCRE2_UCHAR, 256> buffer{};
  pcre2_get_error_message(code, buffer.data(), buffer.size());
  return reinterpret_cast<const char*>(buffer.data());
}

Error bad_regex(std::string_view regex, std::string_view why) {
  return Error(ExitCode::kUsage, fmt::format("--route-topic-regex: {}: {}", regex, why),
               "write it without that part (docs/adr/0004-java-regex.md lists what is read)");
}

Error bad_replacement(std::string_view replacement, std::string_view why) {
  return Error(ExitCode::kUsage, fmt::format("--route-topic-replacement: {}: {}", replacement, why),
               "use $1 or ${name} for a group of --route-topic-regex, and \\$ for a dollar sign");
}

// Kafka's ConfigDef trims a text option as Java's String.trim() does.
std::string_view trim(std::string_view text) noexcept {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Java folds the case of ASCII only; PCRE2 also takes the long s for an s and the Kelvin sign for a
// k. They are hidden from it behind letters of the same length that no ASCII letter folds to.
std::string hide_folds_to_ascii(std::string_view text) {
  struct Fold {
    std::string_view letter;
    std::string_view stand_in;
  };
  constexpr std::array<Fold, 2> kFolds = {Fold{"\u017F", "\u0180"}, Fold{"\u212A", "\u2190"}};
  std::string hidden(text);
  for (const Fold& fold : kFolds) {
    for (auto at = hidden.find(fold.letter); at != std::string::npos;
         at = hidden.find(fold.letter, at)) {
      hidden.replace(at, fold.letter.size(), fold.stand_in);
    }
  }
  return hidden;
}

}  // namespace

struct TopicRoute::Regex {
  CodePtr code{nullptr, pcre2_code_free};
  MatchPtr match{nullptr, pcre2_match_data_free};
  std::uint32_t group_count = 0;
  bool ignores_case = false;

  // True if it matches; `match` then has the groups.
  [[nodiscard]] bool find(std::string_view text, std::uint32_t options) const {
    const int result =
        pcre2_match(code.get(), as_pcre(text), text.size(), 0, options, match.get(), nullptr);
    if (result >= 0) return true;
    if (result == PCRE2_ERROR_NOMATCH) return false;
    throw Error(ExitCode::kUndecodable,
                fmt::format("--route-topic-regex cannot be matched against a routing text: {}",
                            pcre_message(result)),
                "nothing is lost: the position stays before this row. Simplify the expression");
  }

  [[nodiscard]] std::string_view group(std::string_view text, int number) const {
    const auto* offsets = pcre2_get_ovector_pointer(match.get());
    const auto index = static_cast<std::size_t>(number) * 2;
    if (offsets[index] == PCRE2_UNSET) return {};
    return text.substr(offsets[index], offsets[index + 1] - offsets[index]);
  }
};

namespace {

TranslatedRegex translate(std::string_view regex) {
  try {
    return translate_java_regex(regex);
  } catch (const UnsupportedRegex& error) {
    throw bad_regex(regex, error.what());
  }
}

}  // namespace

TopicRoute::TopicRoute(std::string_view regex, std::string_view replacement)
    : regex_(std::make_unique<Regex>()) {
  regex = trim(regex);
  const auto [translated, ignores_case] = translate(regex);
  regex_->ignores_case = ignores_case;
  int error = 0;
  PCRE2_SIZE offset = 0;
  regex_->code.reset(pcre2_compile(as_pcre(translated), translated.size(),
                                   PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &error, &offset, nullptr));
  if (!regex_->code) throw bad_regex(regex, pcre_message(error));
  pcre2_jit_compile(regex_->code.get(), PCRE2_JIT_COMPLETE);  // without JIT it only is slower
  regex_->match.reset(pcre2_match_data_create_from_pattern(regex_->code.get(), nullptr));
  pcre2_pattern_info(regex_->code.get(), PCRE2_INFO_CAPTURECOUNT, &regex_->group_count);
  try {
    parse_replacement(trim(replacement));
  } catch (const Error&) {
    // An empty regex is how one says "the topic is the column's value", whatever the replacement.
    if (!regex.empty()) throw;
    pieces_.clear();
  }
}

TopicRoute::~TopicRoute() = default;
TopicRoute::TopicRoute(TopicRoute&&) noexcept = default;
TopicRoute& TopicRoute::operator=(TopicRoute&&) noexcept = default;

// java.util.regex.Matcher.appendReplacement: \c is c; ${name}; $n takes as many further digits as
// still name a group.
void TopicRoute::parse_replacement(std::string_view replacement) {
  std::string text;
  const auto add_group = [&](int number) {
    pieces_.push_back({std::move(text), number});
    text.clear();
  };
  std::size_t at = 0;
  while (at < replacement.size()) {
    const char c = replacement[at++];
    if (c != '\\' && c != '$') {
      text += c;
      continue;
    }
    if (at == replacement.size()) {
      throw bad_replacement(replacement, fmt::format("ends in a lone {}", c));
    }
    if (c == '\\') {
      text += replacement[at++];
    } else if (replacement[at] == '{') {
      const auto end = replacement.find('}', at);
      if (end == std::string_view::npos) throw bad_replacement(replacement, "${ without }");
      const std::string name(replacement.substr(at + 1, end - at - 1));
      const int number = pcre2_substring_number_from_name(regex_->code.get(), as_pcre(name));
      if (number < 0) {
        throw bad_replacement(replacement, fmt::format("the regex has no group {}", name));
      }
      add_group(number);
      at = end + 1;
    } else {
      const auto is_digit = [&] {
        return at < replacement.size() && replacement[at] >= '0' && replacement[at] <= '9';
      };
      if (!is_digit()) throw bad_replacement(replacement, "$ without a group");
      std::uint32_t number = static_cast<std::uint32_t>(replacement[at++] - '0');
      if (number > regex_->group_count) {
        throw bad_replacement(replacement, fmt::format("the regex has no group {}", number));
      }
      while (is_digit()) {
        const auto longer = number * 10 + static_cast<std::uint32_t>(replacement[at] - '0');
        if (longer > regex_->group_count) break;
        number = longer;
        ++at;
      }
      add_group(static_cast<int>(number));
    }
  }
  pieces_.push_back({std::move(text), -1});
}

std::string TopicRoute::topic(std::string_view routing_text) const {
  const std::string hidden =
      regex_->ignores_case ? hide_folds_to_ascii(routing_text) : std::string();
  const std::string_view subject = regex_->ignores_case ? hidden : routing_text;
  if (!regex_->find(subject, PCRE2_ANCHORED | PCRE2_ENDANCHORED) || !regex_->find(subject, 0)) {
    return std::string(routing_text);
  }
  const auto match = regex_->group(routing_text, 0);
  const auto match_start = static_cast<std::size_t>(match.data() - routing_text.data());
  std::string topic(routing_text.substr(0, match_start));
  for (const auto& piece : pieces_) {
    topic += piece.text;
    if (piece.group >= 0) topic += regex_->group(routing_text, piece.group);
  }
  topic += routing_text.substr(match_start + match.size());
  return topic;
}

}  // namespace walpost
