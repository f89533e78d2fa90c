#include "slot_gauges.h"

#include <array>
#include <charconv>
#include <utility>

#include "walpost/check.h"

namespace walpost {
namespace {

WalStatus parse_wal_status(std::string_view text) noexcept {
  for (const WalStatus status :
       {WalStatus::kReserved, WalStatus::kExtended, WalStatus::kUnreserved, WalStatus::kLost}) {
    if (to_string(status) == text) return status;
  }
  return WalStatus::kUnknown;
}

}  // namespace

std::string_view to_string(WalStatus status) noexcept {
  switch (status) {
    case WalStatus::kUnknown:
      return "unknown";
    case WalStatus::kReserved:
      return "reserved";
    case WalStatus::kExtended:
      return "extended";
    case WalStatus::kUnreserved:
      return "unreserved";
    case WalStatus::kLost:
      return "lost";
  }
  CHECK(false);
}

void SlotGauges::store(const SlotStatus& status) noexcept {
  lag_bytes.store(status.lag_bytes.value_or(kNone), std::memory_order_relaxed);
  retained_bytes.store(status.retained_bytes.value_or(kNone), std::memory_order_relaxed);
  safe_wal_bytes.store(status.safe_wal_size.value_or(kNone), std::memory_order_relaxed);
  wal_status.store(parse_wal_status(status.wal_status), std::memory_order_relaxed);
  earlier_current_lsn.store(current_lsn.load(std::memory_order_relaxed), std::memory_order_relaxed);
  current_lsn.store(status.current_lsn ? status.current_lsn->value() : 0,
                    std::memory_order_relaxed);
}

void SlotGauges::forget() noexcept {
  lag_bytes.store(kNone, std::memory_order_relaxed);
  retained_bytes.store(kNone, std::memory_order_relaxed);
  safe_wal_bytes.store(kNone, std::memory_order_relaxed);
  wal_status.store(WalStatus::kUnknown, std::memory_order_relaxed);
  earlier_current_lsn.store(0, std::memory_order_relaxed);
  current_lsn.store(0, std::memory_order_relaxed);
}

void SlotGauges::store_system_identifier(std::string_view text) noexcept {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  system_identifier.store(is_number ? number : 0, std::memory_order_relaxed);
}

std::optional<std::int64_t> value_of(const std::atomic<std::int64_t>& gauge) noexcept {
  const std::int64_t value = gauge.load(std::memory_order_relaxed);
  return value == SlotGauges::kNone ? std::nullopt : std::optional(value);
}

}  // namespace walpost
