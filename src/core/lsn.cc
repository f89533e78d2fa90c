#include "walpost/lsn.h"

#include <fmt/format.h>

#include <charconv>

namespace walpost {
namespace {

std::optional<std::uint64_t> parse_half(std::string_view digits) noexcept {
  constexpr std::size_t kMaxDigits = 8;
  if (digits.empty() || digits.size() > kMaxDigits) return std::nullopt;
  std::uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, value, 16);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Lsn> Lsn::parse(std::string_view text) noexcept {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto high = parse_half(text.substr(0, slash));
  const auto low = parse_half(text.substr(slash + 1));
  if (!high || !low) return std::nullopt;
  return Lsn(*high << 32 | *low);
}

std::string Lsn::to_string() const {
  return fmt::format("{:X}/{:X}", value_ >> 32, value_ & 0xFFFFFFFF);
}

}  // namespace walpost
