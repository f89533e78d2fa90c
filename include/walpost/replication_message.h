#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "walpost/lsn.h"
#include "walpost/pg_time.h"

// The messages inside CopyData on a replication connection. Manual: "Streaming Replication
// Protocol", START_REPLICATION. Field names are the manual's.

namespace walpost {

//  'w' │ Int64 start of the data │ Int64 end of WAL on the server │ Int64 clock │ Byten data
struct XLogData {
  Lsn data_start;  // 0/0 for messages without a position of their own (Relation, Type)
  Lsn wal_end;     // for logical streams the same as data_start
  PgTimestamp send_time;
  std::span<const std::byte> data;  // one pgoutput message; a view into the frame
};

//  'k' │ Int64 end of WAL on the server │ Int64 clock │ Byte1 reply requested
struct PrimaryKeepalive {
  Lsn wal_end;
  PgTimestamp send_time;
  bool reply_requested = false;
};

using ReplicationMessage = std::variant<XLogData, PrimaryKeepalive>;

// `frame` is the payload of one CopyData. Throws protocol_error(). Views point into `frame`.
[[nodiscard]] ReplicationMessage decode_replication_message(std::span<const std::byte> frame);

//  'r' │ Int64 written │ Int64 flushed │ Int64 applied │ Int64 clock │ Byte1 reply requested
struct StandbyStatusUpdate {
  Lsn write_lsn;  // received by us
  Lsn flush_lsn;  // durable: acknowledged by the sink. Only this moves the slot.
  Lsn apply_lsn;
  PgTimestamp client_time;
  bool reply_requested = false;
};

inline constexpr std::size_t kStandbyStatusUpdateSize = 34;

[[nodiscard]] std::array<std::byte, kStandbyStatusUpdateSize> encode(
    const StandbyStatusUpdate& status) noexcept;
// The way back, for tests and the simulated server. Throws protocol_error().
[[nodiscard]] StandbyStatusUpdate decode_standby_status_update(std::span<const std::byte> frame);

}  // namespace walpost
