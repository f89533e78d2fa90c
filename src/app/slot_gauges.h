#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "slot_status.h"

namespace walpost {

// pg_replication_slots.wal_status; kUnknown: not read yet, or a word of a later server.
enum class WalStatus : std::uint8_t { kUnknown, kReserved, kExtended, kUnreserved, kLost };

[[nodiscard]] std::string_view to_string(WalStatus status) noexcept;

// The newest reading of the slot, for other threads: written by the run loop, one atomic each.
struct SlotGauges {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  std::atomic<std::int64_t> lag_bytes{kNone};
  std::atomic<std::int64_t> retained_bytes{kNone};
  std::atomic<std::int64_t> safe_wal_bytes{kNone};  // may be below 0: the slot is about to be lost
  std::atomic<WalStatus> wal_status{WalStatus::kUnknown};
  // The server's WAL position as read now and the time before (half a second earlier); 0: unknown.
  std::atomic<std::uint64_t> current_lsn{0};
  std::atomic<std::uint64_t> earlier_current_lsn{0};
  // IDENTIFY_SYSTEM; 0: unknown. With the slot's name it says which slot of which server this is.
  std::atomic<std::uint64_t> system_identifier{0};

  // Takes over one reading.
  void store(const SlotStatus& status) noexcept;
  // The server has become unreachable: what was read is no longer true.
  void forget() noexcept;
  // "7301234567890123456"; a text that is no number is unknown.
  void store_system_identifier(std::string_view text) noexcept;
};

// nullopt for kNone.
[[nodiscard]] std::optional<std::int64_t> value_of(const std::atomic<std::int64_t>& gauge) noexcept;

}  // namespace walpost
