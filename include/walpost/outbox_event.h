#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "walpost/lsn.h"
#include "walpost/pg_time.h"
#include "walpost/pgoutput.h"

namespace walpost {

// A table's name as PostgreSQL stores it: no quotes, no folding.
struct TableName {
  std::string nspname;
  std::string relname;
  friend bool operator==(const TableName&, const TableName&) = default;
};

// "public"."outbox", quoted as in SQL.
[[nodiscard]] std::string to_sql(const TableName& table);

// Which column plays which role: Debezium's options of the outbox event router, same defaults.
struct OutboxColumns {
  std::string event_id = "id";                   // table.field.event.id
  std::string event_key = "aggregateid";         // table.field.event.key
  std::string event_payload = "payload";         // table.field.event.payload
  std::string route_by_field = "aggregatetype";  // route.by.field
  std::optional<std::string> event_timestamp;    // table.field.event.timestamp
};

// One outbox row by its roles. Text is PostgreSQL's output in UTF-8; a bytea column's value is its
// bytes. Views are valid until the next map() or until the decoded message goes away.
struct OutboxEvent {
  std::optional<std::string_view> id;  // nullopt: SQL NULL, as in all of these
  std::optional<std::string_view> key;
  std::string_view routing_text;  // of route_by_field; never NULL
  std::optional<std::string_view> payload;
  // nullopt: no timestamp column is configured, or it is NULL or infinite.
  std::optional<PgTimestamp> timestamp;
  bool has_infinite_timestamp = false;
};

// Reads rows of outbox tables by their column names. Pure, but for a buffer that it reuses.
class OutboxMapper final {
 public:
  // How to read the rows that follow one Relation message.
  struct Plan {
    std::string table;                // to_sql() of it, for messages
    std::vector<std::uint8_t> roles;  // by column: bits of Role; ends after the last one needed
    std::vector<bool> bytea;          // by column
  };

  explicit OutboxMapper(OutboxColumns columns) : columns_(std::move(columns)) {}

  // Throws Error{kUndecodable} when a column is missing or has a type that its role cannot take,
  // with the columns that are there.
  [[nodiscard]] Plan plan(const pgoutput::Relation& relation) const;

  // Throws Error{kUndecodable} when the row does not fit; it names the row by `lsn` and its event
  // id, and never shows another value.
  [[nodiscard]] OutboxEvent map(const Plan& plan, const pgoutput::TupleData& row, Lsn lsn);

 private:
  OutboxColumns columns_;
  std::string key_bytes_;      // a bytea key's bytes
  std::string payload_bytes_;  // a bytea payload's bytes
};

}  // namespace walpost
