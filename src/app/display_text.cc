#include "display_text.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace walpost {

std::string count_text(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string bytes_text(std::int64_t bytes) {
  static constexpr std::array<std::string_view, 7> kUnits{"B",   "KiB", "MiB", "GiB",
                                                          "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while ((value >= 1024 || value <= -1024) && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string duration_text(std::chrono::microseconds duration) {
  using namespace std::chrono;
  if (duration < seconds(1))
    return fmt::format("{}ms", duration_cast<milliseconds>(duration).count());
  const auto whole = duration_cast<seconds>(duration).count();
  if (whole < 60) return fmt::format("{:.1f}s", std::chrono::duration<double>(duration).count());
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
}

}  // namespace walpost
