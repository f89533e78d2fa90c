#include "quoting.h"

#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

std::string doubled(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += c;
  }
  return result += '\'';
}

}  // namespace

std::string quote_literal(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return doubled(text);
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') escaped += '\\';
    escaped += c;
  }
  // The blank keeps the E from joining a word before it.
  return " E" + doubled(escaped);
}

std::string quote_replication_literal(std::string_view text) { return doubled(text); }

std::string publication_names(std::span<const std::string> names) {
  std::string list;
  for (const auto& name : names) {
    if (!list.empty()) list += ',';
    list += quote_identifier(name);
  }
  return list;
}

std::string quote_shell(std::string_view word) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  if (!word.empty() && word.find_first_not_of(kSafe) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace walpost
