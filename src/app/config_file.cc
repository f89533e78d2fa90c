#include "config_file.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "walpost/error.h"

namespace walpost {
namespace {

// CLI11's reader with its comment character out of the way: the reader looks for it inside quotes
// too, and would cut a password at its first #. uncommented() takes comments off instead.
class Reader final : public CLI::ConfigTOML {
 public:
  Reader() { commentChar = '\0'; }
};

[[noreturn]] void refuse(const std::string& path, std::size_t line, std::string_view why) {
  throw Error(ExitCode::kUsage, fmt::format("--config: {}: line {}: {}", path, line, why));
}

// The line without its comment and the blanks around. `bracket_depth` counts arrays that go on.
std::string uncommented(const std::string& line, int& bracket_depth, const std::string& path,
                        std::size_t number) {
  char quote = 0;
  std::size_t end = 0;
  for (; end < line.size(); ++end) {
    const char c = line[end];
    if (quote != 0) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '#') break;
    if (c == '[') ++bracket_depth;
    if (c == ']') --bracket_depth;
  }
  if (quote != 0) {
    refuse(path, number, fmt::format("a {} is not closed", quote == '"' ? "\"" : "'"));
  }
  std::string text = line.substr(0, end);
  CLI::detail::trim(text);
  return text;
}

}  // namespace

std::vector<ConfigEntry> read_config_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  // Writing an empty buffer sets failbit, hence the look at what comes before it.
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad() || errno != 0) {
    throw Error(ExitCode::kUsage, fmt::format("--config: {}: {}", path, std::strerror(errno)));
  }
  return parse_config(text.str(), path);
}

std::vector<ConfigEntry> parse_config(const std::string& text, const std::string& path) {
  std::istringstream lines(text);
  std::string cleaned;
  std::string line;
  int bracket_depth = 0;
  std::size_t array_began = 0;
  std::size_t number = 0;
  while (std::getline(lines, line)) {
    ++number;
    // Editors on Windows put a byte-order mark before the first key, where nobody sees it.
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (number == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    const int depth_before = bracket_depth;
    line = uncommented(line, bracket_depth, path, number);
    if (bracket_depth < 0) refuse(path, number, "a ] without its [");
    if (depth_before == 0 && bracket_depth > 0) array_began = number;
    if (line.starts_with(';')) continue;
    // The reader takes a lone key for "= true", and skips a very short line without a word.
    const bool is_section = line.starts_with('[');
    const bool is_setting = line.size() >= 3 && line.find('=') != std::string::npos;
    if (!line.empty() && depth_before == 0 && !is_section && !is_setting) {
      refuse(path, number, "must be KEY = VALUE");
    }
    // An array goes onto one line: the reader does not see one that begins with a lone bracket.
    cleaned += line + (bracket_depth > 0 ? ' ' : '\n');
  }
  if (bracket_depth != 0) refuse(path, array_began, "a [ is not closed");

  std::istringstream input(cleaned);
  std::vector<ConfigEntry> entries;
  for (const CLI::ConfigItem& item : Reader().from_config(input)) {
    if (item.name == "++" || item.name == "--") continue;  // a section's begin and end
    entries.push_back({item.fullname(), item.inputs});
  }
  return entries;
}

}  // namespace walpost
