#include "walpost/replication_message.h"

#include <gmock/gmock.h>

#include "walpost/byte_reader.h"
#include "wire/pgoutput_bytes.h"
#include "wire/thrown.h"

namespace walpost {
namespace {

using testing::HasSubstr;
using wire::Bytes;

std::string refusal(const Bytes& frame) {
  return thrown([&] { return decode_replication_message(frame.span()); }).what();
}

TEST(ReplicationMessage, XLogDataCarriesOneMessage) {
  const Bytes frame = Bytes().character('w').u64(0x10).u64(0x20).u64(30).raw("data");
  const auto message = std::get<XLogData>(decode_replication_message(frame.span()));
  EXPECT_EQ(message.data_start, Lsn(0x10));
  EXPECT_EQ(message.wal_end, Lsn(0x20));
  EXPECT_EQ(message.send_time, PgTimestamp(30));
  EXPECT_EQ(as_text(message.data), "data");
}

TEST(ReplicationMessage, XLogDataMayBeEmpty) {
  const Bytes frame = wire::x_log_data(Lsn(1), Bytes());
  EXPECT_TRUE(std::get<XLogData>(decode_replication_message(frame.span())).data.empty());
}

TEST(ReplicationMessage, AKeepaliveMayAskForAReply) {
  for (const bool asked : {false, true}) {
    const Bytes frame = wire::keepalive(Lsn(0x1'0000'0001), asked);
    const auto message = std::get<PrimaryKeepalive>(decode_replication_message(frame.span()));
    EXPECT_EQ(message.wal_end, Lsn(0x1'0000'0001));
    EXPECT_EQ(message.reply_requested, asked);
  }
}

TEST(ReplicationMessage, EveryPrefixIsRefused) {
  const Bytes data = wire::x_log_data(Lsn(1), Bytes());
  for (std::size_t size = 0; size < data.size(); ++size) (void)refusal(data.prefix(size));
  const Bytes keepalive = wire::keepalive(Lsn(1), true);
  for (std::size_t size = 0; size < keepalive.size(); ++size) (void)refusal(keepalive.prefix(size));
}

TEST(ReplicationMessage, AnUnknownTypeIsRefusedByItsByte) {
  EXPECT_THAT(refusal(Bytes().character('x').u64(1)), HasSubstr("0x78"));
  EXPECT_THAT(refusal(Bytes().u8(0xFF)), HasSubstr("0xff"));
}

TEST(ReplicationMessage, AFlagIsZeroOrOne) {
  EXPECT_THAT(refusal(wire::keepalive(Lsn(1), true).with(17, 2)),
              HasSubstr("replyRequested at offset 17"));
}

TEST(ReplicationMessage, AKeepaliveEndsAfterItsFlag) {
  EXPECT_THAT(refusal(wire::keepalive(Lsn(1), true).u8(0)), HasSubstr("left over"));
}

TEST(ReplicationMessage, AStatusUpdateHasTheManualsLayout) {
  const auto frame = encode({.write_lsn = Lsn(0x0102030405060708),
                             .flush_lsn = Lsn(2),
                             .apply_lsn = Lsn(3),
                             .client_time = PgTimestamp(-1),
                             .reply_requested = true});
  const Bytes expected =
      Bytes().character('r').u64(0x0102030405060708).u64(2).u64(3).u64(0xFFFFFFFFFFFFFFFF).u8(1);
  EXPECT_EQ(std::vector<std::byte>(frame.begin(), frame.end()), expected.data());
}

TEST(ReplicationMessage, AStatusUpdateReadsBack) {
  const auto frame = encode({.write_lsn = Lsn(3), .flush_lsn = Lsn(2), .apply_lsn = Lsn(1)});
  const auto status = decode_standby_status_update(frame);
  EXPECT_EQ(status.write_lsn, Lsn(3));
  EXPECT_EQ(status.flush_lsn, Lsn(2));
  EXPECT_EQ(status.apply_lsn, Lsn(1));
  EXPECT_FALSE(status.reply_requested);
}

TEST(ReplicationMessage, AStatusUpdateOfAnotherTypeIsRefused) {
  auto frame = encode(StandbyStatusUpdate{});
  frame[0] = std::byte{'h'};
  (void)thrown([&] { return decode_standby_status_update(frame); });
}

}  // namespace
}  // namespace walpost
