#include "log_line.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "json_writer.h"
#include "walpost/check.h"

namespace walpost {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string quoted_if_needed(std::string_view value) {
  const bool plain = !value.empty() && std::ranges::none_of(value, [](char c) {
    return is_control(c) || c == ' ' || c == '"' || c == '=' || c == '\\';
  });
  if (plain) return std::string(value);
  std::string escaped;
  for (const char c : value) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return fmt::format("\"{}\"", without_control(escaped));
}

}  // namespace

std::string without_control(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\xc2' && i + 1 < text.size() && (text[i + 1] & '\xe0') == '\x80') {
      result +=
          fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(text[++i])));
    } else if (!is_control(c)) {
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return result;
}

std::string error_text(const Error& error) {
  std::string text = fmt::format("walpost: {}\n", without_control(error.what()));
  std::string_view rest = error.hint();
  if (!rest.empty()) text += "hint: ";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += without_control(rest.substr(0, end)) + '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

std::string_view level_name(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarn:
      return "warn";
    case LogLevel::kError:
      return "error";
  }
  CHECK(false);
}

std::string utc_text(std::chrono::system_clock::time_point time) {
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(ms);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (ms - seconds).count());
}

std::string text_line(const LogLine& line) {
  std::string level(level_name(line.level));
  std::ranges::transform(level, level.begin(),
                         [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  std::string text =
      fmt::format("{} {:<5} {}", utc_text(line.time), level, without_control(line.message));
  for (const LogField& field : line.fields) {
    text += fmt::format(" {}={}", field.key, quoted_if_needed(field.value));
  }
  return text;
}

std::string json_line(const LogLine& line) {
  JsonWriter json;
  json.begin_object();
  json.put("ts", utc_text(line.time));
  json.put("level", level_name(line.level));
  json.put("msg", line.message);
  for (const LogField& field : line.fields) json.put(field.key, field.value);
  json.end_object();
  return json.text();
}

}  // namespace walpost
