#include "walpost/pgoutput.h"

#include <gmock/gmock.h>

#include "walpost/byte_reader.h"
#include "wire/pgoutput_bytes.h"
#include "wire/thrown.h"

namespace walpost::pgoutput {
namespace {

using testing::HasSubstr;
using wire::Bytes;

constexpr std::uint32_t kRelid = 0x01020304;

template <typename T>
T decoded(const Bytes& message) {
  return std::get<T>(decode(message.span()));
}

std::string refusal(const Bytes& message) {
  const Error error = thrown([&] { return decode(message.span()); });
  EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
  EXPECT_FALSE(error.is_retryable());
  return error.what();
}

std::vector<ColumnValue> columns_of(const TupleData& tuple) {
  std::vector<ColumnValue> columns;
  for (const ColumnValue& column : tuple) columns.push_back(column);
  return columns;
}

Bytes origin() { return Bytes().character('O').u64(0x77).string("other"); }
Bytes type() { return Bytes().character('Y').u32(16'400).string("shop").string("mood"); }
Bytes logical_message(std::string_view content) {
  return Bytes()
      .character('M')
      .u8(1)
      .u64(0x99)
      .string("prefix")
      .u32(static_cast<std::uint32_t>(content.size()))
      .raw(content);
}
Bytes outbox_relation() {
  return wire::relation(kRelid, "public", "outbox", {{"id", 2950, true}, {"payload", 3802}});
}
// 'K' or 'O', then a row of one column.
Bytes old_row(char kind, const std::string& value) {
  return Bytes().character(kind).raw(wire::tuple({value}));
}
Bytes update_with(const Bytes& old) {
  return Bytes().character('U').u32(kRelid).raw(old).character('N').raw(wire::tuple({"new"}));
}
Bytes erase_with(const Bytes& old) { return Bytes().character('D').u32(kRelid).raw(old); }
// An Insert whose row is given byte by byte, the count included.
Bytes insert_with(const Bytes& tuple) {
  return Bytes().character('I').u32(kRelid).character('N').raw(tuple);
}

TEST(Pgoutput, Begin) {
  const auto begin = decoded<Begin>(wire::begin(Lsn(0x1'0000'0002), 3, 4'000'000'000));
  EXPECT_EQ(begin.final_lsn, Lsn(0x1'0000'0002));
  EXPECT_EQ(begin.commit_time, PgTimestamp(3));
  EXPECT_EQ(begin.xid, Xid{4'000'000'000});
}

TEST(Pgoutput, Commit) {
  const auto commit = decoded<Commit>(wire::commit(Lsn(0x10), Lsn(0x40), -5));
  EXPECT_EQ(commit.commit_lsn, Lsn(0x10));
  EXPECT_EQ(commit.end_lsn, Lsn(0x40));
  EXPECT_EQ(commit.commit_time, PgTimestamp(-5));
}

TEST(Pgoutput, Origin) {
  const Bytes bytes = origin();
  const auto message = decoded<Origin>(bytes);
  EXPECT_EQ(message.commit_lsn, Lsn(0x77));
  EXPECT_EQ(message.name, "other");
}

TEST(Pgoutput, Relation) {
  const auto relation = decoded<Relation>(outbox_relation());
  EXPECT_EQ(relation.relid, Oid{kRelid});
  EXPECT_EQ(relation.nspname, "public");
  EXPECT_EQ(relation.relname, "outbox");
  EXPECT_EQ(relation.replica_identity, 'd');
  ASSERT_EQ(relation.columns.size(), 2u);
  EXPECT_EQ(relation.columns[0].name, "id");
  EXPECT_TRUE(relation.columns[0].is_key);
  EXPECT_EQ(relation.columns[1].type_oid, Oid{3802});
  EXPECT_EQ(relation.columns[1].type_modifier, -1);
  EXPECT_FALSE(relation.columns[1].is_key);
}

TEST(Pgoutput, ARelationWithoutANamespaceIsInPgCatalog) {
  EXPECT_EQ(decoded<Relation>(wire::relation(1, "", "pg_class", {})).nspname, "pg_catalog");
}

TEST(Pgoutput, Type) {
  const Bytes bytes = type();
  const auto message = decoded<Type>(bytes);
  EXPECT_EQ(message.type_oid, Oid{16'400});
  EXPECT_EQ(message.nspname, "shop");
  EXPECT_EQ(message.typname, "mood");
}

TEST(Pgoutput, InsertTellsEveryKindOfValueApart) {
  const Bytes bytes = insert_with(Bytes()
                                      .u16(5)
                                      .character('n')
                                      .character('u')
                                      .character('t')
                                      .u32(0)
                                      .character('t')
                                      .u32(2)
                                      .raw("ab")
                                      .character('b')
                                      .u32(1)
                                      .u8(0));
  const auto insert = decoded<Insert>(bytes);
  EXPECT_EQ(insert.relid, Oid{kRelid});
  EXPECT_EQ(insert.new_tuple.column_count(), 5);
  const auto columns = columns_of(insert.new_tuple);
  ASSERT_EQ(columns.size(), 5u);
  EXPECT_EQ(columns[0].kind, ValueKind::kNull);
  EXPECT_EQ(columns[1].kind, ValueKind::kUnchangedToast);
  EXPECT_EQ(columns[2].kind, ValueKind::kText);
  EXPECT_EQ(columns[2].data, "");
  EXPECT_EQ(columns[3].data, "ab");
  EXPECT_EQ(columns[4].kind, ValueKind::kBinary);
  EXPECT_EQ(columns[4].data, std::string_view("\0", 1));
}

TEST(Pgoutput, ARowMayHaveNoColumns) {
  const Bytes bytes = wire::insert(kRelid, {});
  EXPECT_TRUE(columns_of(decoded<Insert>(bytes).new_tuple).empty());
}

TEST(Pgoutput, UpdateWithoutAnOldRow) {
  const Bytes bytes = wire::update(kRelid, {"new"});
  const auto update = decoded<Update>(bytes);
  EXPECT_FALSE(update.key_tuple);
  EXPECT_FALSE(update.old_tuple);
  EXPECT_EQ(columns_of(update.new_tuple)[0].data, "new");
}

TEST(Pgoutput, UpdateWithAnOldKey) {
  const Bytes bytes = update_with(old_row('K', "key"));
  const auto update = decoded<Update>(bytes);
  ASSERT_TRUE(update.key_tuple);
  EXPECT_EQ(columns_of(*update.key_tuple)[0].data, "key");
  EXPECT_FALSE(update.old_tuple);
  EXPECT_EQ(columns_of(update.new_tuple)[0].data, "new");
}

TEST(Pgoutput, UpdateWithAnOldRow) {
  const Bytes bytes = update_with(old_row('O', "old"));
  const auto update = decoded<Update>(bytes);
  EXPECT_FALSE(update.key_tuple);
  ASSERT_TRUE(update.old_tuple);
  EXPECT_EQ(columns_of(*update.old_tuple)[0].data, "old");
}

TEST(Pgoutput, DeleteByKeyAndByRow) {
  const Bytes by_key = erase_with(old_row('K', "key"));
  EXPECT_EQ(columns_of(decoded<Delete>(by_key).key_tuple.value())[0].data, "key");
  EXPECT_FALSE(decoded<Delete>(by_key).old_tuple);
  const Bytes by_row = erase_with(old_row('O', "old"));
  EXPECT_EQ(columns_of(decoded<Delete>(by_row).old_tuple.value())[0].data, "old");
  EXPECT_FALSE(decoded<Delete>(by_row).key_tuple);
}

TEST(Pgoutput, TruncateOfSeveralRelations) {
  const Bytes bytes = wire::truncate({1, 2}, 3);
  const auto truncate = decoded<Truncate>(bytes);
  EXPECT_TRUE(truncate.cascade);
  EXPECT_TRUE(truncate.restart_identity);
  EXPECT_EQ(truncate.relids.size(), 8u);
  const Bytes plain = wire::truncate({1});
  EXPECT_FALSE(decoded<Truncate>(plain).cascade);
  EXPECT_FALSE(decoded<Truncate>(plain).restart_identity);
}

TEST(Pgoutput, Message) {
  const Bytes bytes = logical_message("content");
  const auto message = decoded<Message>(bytes);
  EXPECT_TRUE(message.transactional);
  EXPECT_EQ(message.lsn, Lsn(0x99));
  EXPECT_EQ(message.prefix, "prefix");
  EXPECT_EQ(as_text(message.content), "content");
}

// What is wrong.

class EveryMessage : public testing::TestWithParam<Bytes> {};

TEST_P(EveryMessage, IsRefusedWhenCutOffAnywhere) {
  for (std::size_t size = 0; size < GetParam().size(); ++size) {
    SCOPED_TRACE(size);
    (void)refusal(GetParam().prefix(size));
  }
}

TEST_P(EveryMessage, IsRefusedWithABytesMore) {
  Bytes longer = GetParam();
  longer.u8(0);
  EXPECT_THAT(refusal(longer), HasSubstr("1 bytes are left over"));
}

INSTANTIATE_TEST_SUITE_P(
    Pgoutput, EveryMessage,
    testing::Values(wire::begin(Lsn(1), 2, 3), wire::commit(Lsn(1), Lsn(2), 3), origin(),
                    outbox_relation(), type(), wire::insert(kRelid, {"a", std::nullopt, ""}),
                    update_with(old_row('K', "k")), update_with(old_row('O', "o")),
                    erase_with(old_row('K', "k")), wire::truncate({1, 2}, 3),
                    logical_message("content")),
    [](const auto& message) {
      return std::to_string(message.index) + static_cast<char>(message.param.data()[0]);
    });

TEST(Pgoutput, NothingIsNoMessage) { EXPECT_THAT(refusal(Bytes()), HasSubstr("is missing")); }

TEST(Pgoutput, AnUnknownMessageIsRefusedByItsByte) {
  EXPECT_THAT(refusal(Bytes().character('X')), HasSubstr("0x58"));
  // Messages of later protocol versions: stream start, two-phase begin.
  EXPECT_THAT(refusal(Bytes().character('S').u32(1).u8(1)), HasSubstr("0x53"));
  EXPECT_THAT(refusal(Bytes().character('b')), HasSubstr("0x62"));
}

TEST(Pgoutput, UndefinedFlagsAreRefused) {
  EXPECT_THAT(refusal(wire::commit(Lsn(1), Lsn(2), 3).with(1, 1)), HasSubstr("flags at offset 1"));
  EXPECT_THAT(refusal(wire::truncate({1}, 4)), HasSubstr("options at offset 5"));
  EXPECT_THAT(refusal(logical_message("").with(1, 2)), HasSubstr("flags at offset 1"));
}

TEST(Pgoutput, AColumnsFlagsAreZeroOrOne) {
  const Bytes bytes = wire::relation(1, "", "t", {{"c"}});
  EXPECT_THAT(refusal(bytes.with(11, 2)), HasSubstr("column flags at offset 11"));
}

TEST(Pgoutput, AnUnknownReplicaIdentityIsRefused) {
  const Bytes bytes = wire::relation(1, "", "t", {});
  EXPECT_THAT(refusal(bytes.with(8, 'x')), HasSubstr("replica identity at offset 8: 0x78"));
  EXPECT_THAT(refusal(bytes.with(8, 0)), HasSubstr("0x00"));
}

TEST(Pgoutput, MoreColumnsThanATableCanHaveAreRefused) {
  EXPECT_THAT(refusal(insert_with(Bytes().u16(1601))), HasSubstr("column count at offset 6"));
  EXPECT_THAT(refusal(insert_with(Bytes().u16(0xFFFF))), HasSubstr("65535"));
  EXPECT_EQ(decoded<Insert>(wire::insert(1, wire::Row(1600))).new_tuple.column_count(), 1600);
}

TEST(Pgoutput, AnUnknownKindOfValueIsRefused) {
  EXPECT_THAT(refusal(insert_with(Bytes().u16(2).character('n').character('x'))),
              HasSubstr("column kind at offset 9: 0x78"));
}

TEST(Pgoutput, AValueLongerThanItsMessageIsRefused) {
  EXPECT_THAT(refusal(insert_with(Bytes().u16(1).character('t').u32(3).raw("ab"))),
              HasSubstr("column value at offset 13"));
  (void)refusal(insert_with(Bytes().u16(1).character('t').u32(0xFFFFFFFF).raw("ab")));
  (void)refusal(logical_message("ab").with(17, 0xFF));
}

TEST(Pgoutput, MoreRelationsThanTheTruncateCarriesAreRefused) {
  EXPECT_THAT(refusal(wire::truncate({1}).with(4, 2)), HasSubstr("relids"));
  (void)refusal(wire::truncate({1}).with(1, 0x40).with(4, 0));
}

TEST(Pgoutput, TheRowsOfAChangeAreMarkedByTheirKind) {
  EXPECT_THAT(refusal(wire::insert(1, {}).with(5, 'K')), HasSubstr("tuple kind at offset 5"));
  EXPECT_THAT(refusal(wire::update(1, {}).with(5, 'X')), HasSubstr("0x58 is not N"));
  EXPECT_THAT(refusal(wire::erase(1, {}).with(5, 'N')), HasSubstr("neither K nor O"));
  const Bytes two_old_rows = Bytes()
                                 .character('U')
                                 .u32(kRelid)
                                 .raw(old_row('K', "k"))
                                 .raw(old_row('O', "o"))
                                 .character('N')
                                 .raw(wire::tuple({"new"}));
  EXPECT_THAT(refusal(two_old_rows), HasSubstr("0x4f is not N"));
}

TEST(Pgoutput, ACommitTimeOutsideOfPostgresRangeIsRefused) {
  EXPECT_THAT(refusal(wire::begin(Lsn(1), INT64_MAX, 1)),
              HasSubstr("commit timestamp at offset 9"));
  EXPECT_THAT(refusal(wire::begin(Lsn(1), INT64_MIN, 1)), HasSubstr("commit timestamp"));
  EXPECT_THAT(refusal(wire::commit(Lsn(1), Lsn(2), INT64_MAX)),
              HasSubstr("commit timestamp at offset 18"));
}

}  // namespace
}  // namespace walpost::pgoutput
