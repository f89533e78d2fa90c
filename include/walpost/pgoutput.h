#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "walpost/ids.h"
#include "walpost/lsn.h"
#include "walpost/pg_time.h"

// Logical replication messages of the pgoutput plugin, protocol version 1. Manual: "Logical
// Replication Message Formats"; field names are the manual's. All integers are big-endian.
//
// Rows and names of Begin to Message are views into the decoded bytes. Relation owns what it
// holds, since it outlives its message.

namespace walpost::pgoutput {

// How a column's value came.
enum class ValueKind : char {
  kNull = 'n',
  kUnchangedToast = 'u',  // an out-of-line value that this change did not touch: not sent
  kText = 't',            // the type's output function
  kBinary = 'b',          // the type's send function
};

struct ColumnValue {
  ValueKind kind = ValueKind::kNull;
  std::string_view data;  // empty for kNull and kUnchangedToast
};

// Int16 count │ per column: Byte1 kind, then for 't' and 'b': Int32 length │ Byten
//
// A view of a row that was checked from end to end when it was decoded; walking it only moves a
// pointer. Forward only: the mapper reads the columns in their order.
class TupleData final {
 public:
  class Iterator final {
   public:
    using value_type = ColumnValue;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    Iterator() noexcept = default;
    explicit Iterator(const std::byte* at) noexcept : at_(at) {}
    ColumnValue operator*() const noexcept;
    Iterator& operator++() noexcept;
    void operator++(int) noexcept { ++*this; }
    friend bool operator==(const Iterator&, const Iterator&) noexcept = default;

   private:
    const std::byte* at_ = nullptr;
  };

  TupleData() noexcept = default;
  // `bytes` are the checked columns without the count.
  TupleData(std::uint16_t column_count, std::span<const std::byte> bytes) noexcept
      : bytes_(bytes), column_count_(column_count) {}

  [[nodiscard]] std::uint16_t column_count() const noexcept { return column_count_; }
  [[nodiscard]] Iterator begin() const noexcept { return Iterator(bytes_.data()); }
  [[nodiscard]] Iterator end() const noexcept { return Iterator(bytes_.data() + bytes_.size()); }

 private:
  std::span<const std::byte> bytes_;
  std::uint16_t column_count_ = 0;
};

// 'B' │ Int64 final_lsn │ Int64 commit time │ Int32 xid
struct Begin {
  Lsn final_lsn;  // the commit record's LSN, Commit's commit_lsn
  PgTimestamp commit_time;
  Xid xid;
};

// 'C' │ Int8 flags (0) │ Int64 commit_lsn │ Int64 end_lsn │ Int64 commit time
struct Commit {
  Lsn commit_lsn;
  Lsn end_lsn;  // what may be confirmed once the transaction is done
  PgTimestamp commit_time;
};

// 'O' │ Int64 commit LSN on the origin │ String name
struct Origin {
  Lsn commit_lsn;
  std::string_view name;
};

struct RelationColumn {
  bool is_key = false;  // part of the replica identity (flags bit 0)
  std::string name;
  Oid type_oid;
  std::int32_t type_modifier = -1;
};

// 'R' │ Int32 relid │ String namespace │ String name │ Int8 replica identity │ Int16 count │
//       per column: Int8 flags, String name, Int32 type oid, Int32 type modifier
struct Relation {
  Oid relid;
  std::string nspname;  // never empty here: the wire's empty name means pg_catalog
  std::string relname;
  char replica_identity = 'd';  // pg_class.relreplident: d, n, f or i
  std::vector<RelationColumn> columns;
};

// 'Y' │ Int32 type oid │ String namespace │ String name
struct Type {
  Oid type_oid;
  std::string_view nspname;
  std::string_view typname;
};

// 'I' │ Int32 relid │ 'N' TupleData
struct Insert {
  Oid relid;
  TupleData new_tuple;
};

// 'U' │ Int32 relid │ ['K' or 'O' TupleData] │ 'N' TupleData
struct Update {
  Oid relid;
  std::optional<TupleData> key_tuple;  // 'K': replica identity columns, when they changed
  std::optional<TupleData> old_tuple;  // 'O': the whole row, with REPLICA IDENTITY FULL
  TupleData new_tuple;
};

// 'D' │ Int32 relid │ 'K' or 'O' TupleData
struct Delete {
  Oid relid;
  std::optional<TupleData> key_tuple;
  std::optional<TupleData> old_tuple;
};

// 'T' │ Int32 count │ Int8 options │ Int32 relid …
struct Truncate {
  bool cascade = false;
  bool restart_identity = false;
  std::span<const std::byte> relids;  // checked: a multiple of 4 bytes, big-endian Oids
};

// 'M' │ Int8 flags │ Int64 lsn │ String prefix │ Int32 length │ Byten content
struct Message {
  bool transactional = false;
  Lsn lsn;
  std::string_view prefix;
  std::span<const std::byte> content;
};

using AnyMessage =
    std::variant<Begin, Commit, Origin, Relation, Type, Insert, Update, Delete, Truncate, Message>;

// One pgoutput message, XLogData::data. Pure. Throws protocol_error() (byte_reader.h) for anything
// that does not follow the format from its first byte to its last.
[[nodiscard]] AnyMessage decode(std::span<const std::byte> message);

}  // namespace walpost::pgoutput
