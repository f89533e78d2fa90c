#include "walpost/pgoutput.h"

#include <fmt/format.h>

#include <cstring>

#include "walpost/byte_reader.h"

namespace walpost::pgoutput {
namespace {

// The server allows 1,600 columns in a table (MaxHeapAttributeNumber).
constexpr std::uint16_t kMaxColumns = 1600;

constexpr std::size_t kLengthSize = 4;

std::uint32_t load_length(const std::byte* at) noexcept {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return __builtin_bswap32(value);
}

bool has_data(ValueKind kind) noexcept {
  return kind == ValueKind::kText || kind == ValueKind::kBinary;
}

Lsn read_lsn(ByteReader& reader, std::string_view field) { return Lsn(reader.u64(field)); }

PgTimestamp read_time(ByteReader& reader, std::string_view field) {
  const auto offset = reader.offset();
  const PgTimestamp time(static_cast<std::int64_t>(reader.u64(field)));
  if (!time.is_in_range()) {
    reader.fail(field, offset, fmt::format("{} is no time of PostgreSQL's", time.value()));
  }
  return time;
}

Oid read_oid(ByteReader& reader, std::string_view field) { return Oid{reader.u32(field)}; }

std::uint16_t read_column_count(ByteReader& reader) {
  const auto offset = reader.offset();
  const auto count = reader.u16("column count");
  if (count > kMaxColumns) {
    reader.fail("column count", offset,
                fmt::format("is {}, more than a table can have ({})", count, kMaxColumns));
  }
  return count;
}

TupleData read_tuple(ByteReader& reader, std::span<const std::byte> message) {
  const auto count = read_column_count(reader);
  const auto start = reader.offset();
  for (std::uint16_t column = 0; column < count; ++column) {
    const auto offset = reader.offset();
    const auto kind = static_cast<char>(reader.u8("column kind"));
    switch (kind) {
      case 'n':
      case 'u':
        break;
      case 't':
      case 'b':
        (void)reader.bytes(reader.u32("column length"), "column value");
        break;
      default:  // a byte, not an enumeration
        reader.fail(
            "column kind", offset,
            fmt::format("0x{:02x} is none of n, u, t, b", static_cast<unsigned char>(kind)));
    }
  }
  return TupleData(count, message.subspan(start, reader.offset() - start));
}

Begin read_begin(ByteReader& reader) {
  Begin begin;
  begin.final_lsn = read_lsn(reader, "final_lsn");
  begin.commit_time = read_time(reader, "commit timestamp");
  begin.xid = Xid{reader.u32("xid")};
  return begin;
}

Commit read_commit(ByteReader& reader) {
  const auto offset = reader.offset();
  if (const auto flags = reader.u8("flags"); flags != 0) {
    reader.fail("flags", offset, fmt::format("is {}, and none are defined", flags));
  }
  Commit commit;
  commit.commit_lsn = read_lsn(reader, "commit_lsn");
  commit.end_lsn = read_lsn(reader, "end_lsn");
  commit.commit_time = read_time(reader, "commit timestamp");
  return commit;
}

Origin read_origin(ByteReader& reader) {
  Origin origin;
  origin.commit_lsn = read_lsn(reader, "commit_lsn");
  origin.name = reader.string("name");
  return origin;
}

RelationColumn read_relation_column(ByteReader& reader) {
  const auto offset = reader.offset();
  const auto flags = reader.u8("column flags");
  if (flags > 1) reader.fail("column flags", offset, fmt::format("is {}, not 0 or 1", flags));
  RelationColumn column;
  column.is_key = flags == 1;
  column.name = reader.string("column name");
  column.type_oid = read_oid(reader, "column type");
  column.type_modifier = static_cast<std::int32_t>(reader.u32("column type modifier"));
  return column;
}

Relation read_relation(ByteReader& reader) {
  Relation relation;
  relation.relid = read_oid(reader, "relid");
  relation.nspname = reader.string("namespace");
  if (relation.nspname.empty()) relation.nspname = "pg_catalog";
  relation.relname = reader.string("relation name");
  const auto offset = reader.offset();
  relation.replica_identity = static_cast<char>(reader.u8("replica identity"));
  if (std::string_view("dnfi").find(relation.replica_identity) == std::string_view::npos) {
    reader.fail("replica identity", offset,
                fmt::format("0x{:02x} is none of d, n, f, i",
                            static_cast<unsigned char>(relation.replica_identity)));
  }
  const auto count = read_column_count(reader);
  relation.columns.reserve(count);
  for (std::uint16_t i = 0; i < count; ++i) {
    relation.columns.push_back(read_relation_column(reader));
  }
  return relation;
}

Type read_type(ByteReader& reader) {
  Type type;
  type.type_oid = read_oid(reader, "type oid");
  type.nspname = reader.string("namespace");
  type.typname = reader.string("type name");
  return type;
}

Insert read_insert(ByteReader& reader, std::span<const std::byte> message) {
  Insert insert;
  insert.relid = read_oid(reader, "relid");
  const auto offset = reader.offset();
  if (const auto kind = reader.u8("tuple kind"); kind != 'N') {
    reader.fail("tuple kind", offset, fmt::format("0x{:02x} is not N", kind));
  }
  insert.new_tuple = read_tuple(reader, message);
  return insert;
}

Update read_update(ByteReader& reader, std::span<const std::byte> message) {
  Update update;
  update.relid = read_oid(reader, "relid");
  auto offset = reader.offset();
  auto kind = reader.u8("tuple kind");
  if (kind == 'K' || kind == 'O') {
    (kind == 'K' ? update.key_tuple : update.old_tuple) = read_tuple(reader, message);
    offset = reader.offset();
    kind = reader.u8("tuple kind");
  }
  if (kind != 'N') reader.fail("tuple kind", offset, fmt::format("0x{:02x} is not N", kind));
  update.new_tuple = read_tuple(reader, message);
  return update;
}

Delete read_delete(ByteReader& reader, std::span<const std::byte> message) {
  Delete deleted;
  deleted.relid = read_oid(reader, "relid");
  const auto offset = reader.offset();
  const auto kind = reader.u8("tuple kind");
  if (kind != 'K' && kind != 'O') {
    reader.fail("tuple kind", offset, fmt::format("0x{:02x} is neither K nor O", kind));
  }
  (kind == 'K' ? deleted.key_tuple : deleted.old_tuple) = read_tuple(reader, message);
  return deleted;
}

Truncate read_truncate(ByteReader& reader) {
  constexpr std::uint8_t kCascade = 1;
  constexpr std::uint8_t kRestartIdentity = 2;
  const auto count = reader.u32("relation count");
  const auto offset = reader.offset();
  const auto options = reader.u8("options");
  if ((options & ~(kCascade | kRestartIdentity)) != 0) {
    reader.fail("options", offset, fmt::format("is {}, with undefined bits", options));
  }
  Truncate truncate;
  truncate.cascade = (options & kCascade) != 0;
  truncate.restart_identity = (options & kRestartIdentity) != 0;
  truncate.relids = reader.bytes(std::size_t{count} * sizeof(Oid), "relids");
  return truncate;
}

Message read_message(ByteReader& reader) {
  const auto offset = reader.offset();
  const auto flags = reader.u8("flags");
  if (flags > 1) reader.fail("flags", offset, fmt::format("is {}, not 0 or 1", flags));
  Message message;
  message.transactional = flags == 1;
  message.lsn = read_lsn(reader, "lsn");
  message.prefix = reader.string("prefix");
  message.content = reader.bytes(reader.u32("content length"), "content");
  return message;
}

// The manual's name of the message with this first byte; empty for an unknown one.
std::string_view name_of(char type) noexcept {
  switch (type) {
    case 'B':
      return "Begin";
    case 'C':
      return "Commit";
    case 'O':
      return "Origin";
    case 'R':
      return "Relation";
    case 'Y':
      return "Type";
    case 'I':
      return "Insert";
    case 'U':
      return "Update";
    case 'D':
      return "Delete";
    case 'T':
      return "Truncate";
    case 'M':
      return "Message";
    default:  // a byte, not an enumeration
      return {};
  }
}

AnyMessage read_body(char type, ByteReader& reader, std::span<const std::byte> message) {
  switch (type) {
    case 'B':
      return read_begin(reader);
    case 'C':
      return read_commit(reader);
    case 'O':
      return read_origin(reader);
    case 'R':
      return read_relation(reader);
    case 'Y':
      return read_type(reader);
    case 'I':
      return read_insert(reader, message);
    case 'U':
      return read_update(reader, message);
    case 'D':
      return read_delete(reader, message);
    case 'T':
      return read_truncate(reader);
    default:  // 'M': name_of() has refused the rest
      return read_message(reader);
  }
}

}  // namespace

ColumnValue TupleData::Iterator::operator*() const noexcept {
  const auto kind = static_cast<ValueKind>(*at_);
  if (!has_data(kind)) return {kind, {}};
  const auto* data = at_ + 1 + kLengthSize;
  return {kind, {reinterpret_cast<const char*>(data), load_length(at_ + 1)}};
}

TupleData::Iterator& TupleData::Iterator::operator++() noexcept {
  const auto kind = static_cast<ValueKind>(*at_);
  at_ += 1 + (has_data(kind) ? kLengthSize + load_length(at_ + 1) : 0);
  return *this;
}

AnyMessage decode(std::span<const std::byte> message) {
  if (message.empty()) throw protocol_error("pgoutput", "type", 0, "is missing");
  const auto type = static_cast<char>(message[0]);
  const auto name = name_of(type);
  if (name.empty()) {
    throw protocol_error("pgoutput", "type", 0,
                         fmt::format("0x{:02x} is no message of protocol version 1",
                                     static_cast<unsigned char>(type)));
  }
  ByteReader reader(message, name);
  (void)reader.u8("type");
  AnyMessage result = read_body(type, reader, message);
  reader.expect_end();
  return result;
}

}  // namespace walpost::pgoutput
