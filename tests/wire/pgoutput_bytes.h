#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "walpost/replication_message.h"

// Messages as PostgreSQL would send them, made by hand: what the decoder reads, written by code
// that shares nothing with it.

namespace walpost::wire {

// Appends fields in network byte order.
class Bytes final {
 public:
  template <std::unsigned_integral T>
  Bytes& integer(T value) {
    for (std::size_t shift = sizeof(T) * 8; shift > 0; shift -= 8) {
      data_.push_back(static_cast<std::byte>(value >> (shift - 8)));
    }
    return *this;
  }
  Bytes& u8(std::uint8_t value) { return integer(value); }
  Bytes& u16(std::uint16_t value) { return integer(value); }
  Bytes& u32(std::uint32_t value) { return integer(value); }
  Bytes& u64(std::uint64_t value) { return integer(value); }
  Bytes& character(char value) { return u8(static_cast<std::uint8_t>(value)); }
  Bytes& raw(std::string_view text) {
    for (const char c : text) character(c);
    return *this;
  }
  Bytes& raw(const Bytes& bytes) {
    data_.insert(data_.end(), bytes.data_.begin(), bytes.data_.end());
    return *this;
  }
  // The protocol's String.
  Bytes& string(std::string_view text) { return raw(text).u8(0); }

  // The first `count` bytes: a message that was cut off.
  [[nodiscard]] Bytes prefix(std::size_t count) const {
    Bytes cut = *this;
    cut.data_.resize(count);
    return cut;
  }
  // The same with one byte changed.
  [[nodiscard]] Bytes with(std::size_t offset, std::uint8_t value) const {
    Bytes changed = *this;
    changed.data_.at(offset) = std::byte{value};
    return changed;
  }
  [[nodiscard]] std::size_t size() const noexcept { return data_.size(); }
  [[nodiscard]] std::span<const std::byte> span() const& noexcept { return data_; }
  [[nodiscard]] const std::vector<std::byte>& data() const& noexcept { return data_; }

 private:
  std::vector<std::byte> data_;
};

// One column of a row: text, nullopt for NULL.
using Value = std::optional<std::string>;
using Row = std::vector<Value>;

struct Column {
  std::string name;
  std::uint32_t type_oid = 25;  // text
  bool is_key = false;
};

inline Bytes begin(Lsn final_lsn, std::int64_t commit_time, std::uint32_t xid) {
  return Bytes()
      .character('B')
      .u64(final_lsn.value())
      .u64(static_cast<std::uint64_t>(commit_time))
      .u32(xid);
}

inline Bytes commit(Lsn commit_lsn, Lsn end_lsn, std::int64_t commit_time) {
  return Bytes()
      .character('C')
      .u8(0)
      .u64(commit_lsn.value())
      .u64(end_lsn.value())
      .u64(static_cast<std::uint64_t>(commit_time));
}

inline Bytes relation(std::uint32_t relid, std::string_view nspname, std::string_view relname,
                      const std::vector<Column>& columns) {
  Bytes bytes;
  bytes.character('R').u32(relid).string(nspname).string(relname).character('d');
  bytes.u16(static_cast<std::uint16_t>(columns.size()));
  for (const Column& column : columns) {
    bytes.u8(column.is_key ? 1 : 0).string(column.name).u32(column.type_oid).u32(0xFFFFFFFF);
  }
  return bytes;
}

// TupleData with text values.
inline Bytes tuple(const Row& row) {
  Bytes bytes;
  bytes.u16(static_cast<std::uint16_t>(row.size()));
  for (const Value& value : row) {
    if (value) {
      bytes.character('t').u32(static_cast<std::uint32_t>(value->size())).raw(*value);
    } else {
      bytes.character('n');
    }
  }
  return bytes;
}

inline Bytes insert(std::uint32_t relid, const Row& row) {
  return Bytes().character('I').u32(relid).character('N').raw(tuple(row));
}

inline Bytes update(std::uint32_t relid, const Row& row) {
  return Bytes().character('U').u32(relid).character('N').raw(tuple(row));
}

inline Bytes erase(std::uint32_t relid, const Row& key) {
  return Bytes().character('D').u32(relid).character('K').raw(tuple(key));
}

inline Bytes truncate(const std::vector<std::uint32_t>& relids, std::uint8_t options = 0) {
  Bytes bytes;
  bytes.character('T').u32(static_cast<std::uint32_t>(relids.size())).u8(options);
  for (const std::uint32_t relid : relids) bytes.u32(relid);
  return bytes;
}

inline Bytes x_log_data(Lsn data_start, const Bytes& data) {
  return Bytes().character('w').u64(data_start.value()).u64(data_start.value()).u64(0).raw(data);
}

inline Bytes keepalive(Lsn wal_end, bool reply_requested) {
  return Bytes().character('k').u64(wal_end.value()).u64(0).u8(reply_requested ? 1 : 0);
}

}  // namespace walpost::wire
