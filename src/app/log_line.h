#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "walpost/error.h"
#include "walpost/log.h"

namespace walpost {

// One fact as it is logged.
struct LogLine {
  std::chrono::system_clock::time_point time;
  LogLevel level = LogLevel::kInfo;
  std::string_view message;
  std::span<const LogField> fields;
};

// "2026-11-30T19:26:41.123Z INFO  message key=value key="two words"". Control characters are
// escaped everywhere, so that a line stays a line and a terminal is not told what to do.
[[nodiscard]] std::string text_line(const LogLine& line);

// {"ts":"2026-11-30T19:26:41.123Z","level":"info","msg":"message","key":"value"}; always valid
// UTF-8.
[[nodiscard]] std::string json_line(const LogLine& line);

// "2026-11-30T19:26:41.123Z".
[[nodiscard]] std::string utc_text(std::chrono::system_clock::time_point time);
// "info".
[[nodiscard]] std::string_view level_name(LogLevel level) noexcept;
// The text with its control characters as \n, \t, \u001b, those beyond ASCII (U+0080 to U+009F)
// included: a terminal takes U+009B for ESC [.
[[nodiscard]] std::string without_control(std::string_view text);
// The last words, "walpost: …" and "hint: …". The first is one line whatever names and values it
// cites; a hint may have several, commands to copy.
[[nodiscard]] std::string error_text(const Error& error);

}  // namespace walpost
