#include "walpost/replication_message.h"

#include <fmt/format.h>

#include <cstring>

#include "walpost/byte_reader.h"

namespace walpost {
namespace {

PgTimestamp read_time(ByteReader& reader, std::string_view field) {
  return PgTimestamp(static_cast<std::int64_t>(reader.u64(field)));
}

bool read_flag(ByteReader& reader, std::string_view field) {
  const auto offset = reader.offset();
  const auto value = reader.u8(field);
  if (value > 1) reader.fail(field, offset, fmt::format("is {}, neither 0 nor 1", value));
  return value == 1;
}

XLogData read_xlog_data(ByteReader reader) {
  XLogData message;
  (void)reader.u8("type");
  message.data_start = Lsn(reader.u64("dataStart"));
  message.wal_end = Lsn(reader.u64("walEnd"));
  message.send_time = read_time(reader, "sendTime");
  message.data = reader.bytes(reader.remaining(), "data");
  return message;
}

PrimaryKeepalive read_keepalive(ByteReader reader) {
  PrimaryKeepalive message;
  (void)reader.u8("type");
  message.wal_end = Lsn(reader.u64("walEnd"));
  message.send_time = read_time(reader, "sendTime");
  message.reply_requested = read_flag(reader, "replyRequested");
  reader.expect_end();
  return message;
}

}  // namespace

ReplicationMessage decode_replication_message(std::span<const std::byte> frame) {
  if (frame.empty()) throw protocol_error("CopyData", "type", 0, "is missing");
  switch (static_cast<char>(frame[0])) {
    case 'w':
      return read_xlog_data(ByteReader(frame, "XLogData"));
    case 'k':
      return read_keepalive(ByteReader(frame, "PrimaryKeepalive"));
    default:  // a byte, not an enumeration
      throw protocol_error("CopyData", "type", 0,
                           fmt::format("0x{:02x} is no message of the replication protocol",
                                       std::to_integer<unsigned>(frame[0])));
  }
}

std::array<std::byte, kStandbyStatusUpdateSize> encode(const StandbyStatusUpdate& status) noexcept {
  std::array<std::byte, kStandbyStatusUpdateSize> frame{};
  std::size_t offset = 0;
  const auto put_u64 = [&](std::uint64_t value) {
    const std::uint64_t wire = __builtin_bswap64(value);
    std::memcpy(frame.data() + offset, &wire, sizeof wire);
    offset += sizeof wire;
  };
  frame[offset++] = std::byte{'r'};
  put_u64(status.write_lsn.value());
  put_u64(status.flush_lsn.value());
  put_u64(status.apply_lsn.value());
  put_u64(static_cast<std::uint64_t>(status.client_time.value()));
  frame[offset] = std::byte{status.reply_requested};
  return frame;
}

StandbyStatusUpdate decode_standby_status_update(std::span<const std::byte> frame) {
  ByteReader reader(frame, "StandbyStatusUpdate");
  if (const auto type = reader.u8("type"); type != 'r') {
    reader.fail("type", 0, fmt::format("is 0x{:02x}, not 'r'", type));
  }
  StandbyStatusUpdate status;
  status.write_lsn = Lsn(reader.u64("write"));
  status.flush_lsn = Lsn(reader.u64("flush"));
  status.apply_lsn = Lsn(reader.u64("apply"));
  status.client_time = read_time(reader, "clientTime");
  status.reply_requested = read_flag(reader, "replyRequested");
  reader.expect_end();
  return status;
}

}  // namespace walpost
