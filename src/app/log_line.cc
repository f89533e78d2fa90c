#include "log_line.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cstdint>

#include "walpost/check.h"

namespace walpost {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Length of the UTF-8 character that `text` begins with; 0: none. Overlong forms, surrogates and
// what is beyond U+10FFFF are none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const std::uint8_t second = byte(1);
  const bool is_bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return is_bad ? 0 : length;
}

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
  for (const char c : text) {
    if (!is_control(c)) {
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

std::string valid_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    result += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
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
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto member = [&](std::string_view key, std::string_view value) {
    const std::string text = valid_utf8(value);
    writer.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
    writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  };
  writer.StartObject();
  member("ts", utc_text(line.time));
  member("level", level_name(line.level));
  member("msg", line.message);
  for (const LogField& field : line.fields) member(field.key, field.value);
  writer.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace walpost
