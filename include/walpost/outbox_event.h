#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "walpost/column_facts.h"
#include "walpost/column_type.h"
#include "walpost/error.h"
#include "walpost/lsn.h"
#include "walpost/outbox_columns.h"
#include "walpost/pg_time.h"
#include "walpost/pgoutput.h"

namespace walpost {

// One outbox row by its roles. Text is PostgreSQL's output in UTF-8, under the settings that
// connections pin. Views are valid until the next map() or until the decoded message goes away.
struct OutboxEvent {
  using Text = std::optional<std::string_view>;  // nullopt: SQL NULL

  Text id;
  Text key;
  std::string_view routing_text;  // of route_by_field; never NULL
  Text payload;
  Text type;
  // nullopt: no timestamp column is configured, or it is NULL or infinite.
  std::optional<PgTimestamp> timestamp;
  bool has_infinite_timestamp = false;
  std::optional<std::int32_t> schema_version;
  std::optional<std::int32_t> partition;
  std::span<const Text> additional;  // as OutboxColumns::additional; of no use for a partition
  Text tracing_span_context;
  Text headers_from;
  Text traceparent;
  Text tracestate;
  Text baggage;
  // A column for which a default might stand in is NULL.
  bool has_null = false;
  // And the catalog says that it cannot be: it is of another time than the row.
  bool contradicts_facts = false;
};

// Reads rows of outbox tables by their column names. Pure, but for buffers that it reuses.
class OutboxMapper final {
 public:
  // How to read the rows that follow one Relation message.
  struct Plan {
    struct Use {
      std::size_t column = 0;
      std::size_t slot = 0;
    };
    std::string table;  // to_sql() of it, for messages
    std::string nspname;
    std::string relname;
    std::size_t column_count = 0;
    std::vector<Use> uses;  // in the columns' order
    // By slot, both. No type: no such column is used.
    std::vector<std::optional<ColumnType>> types;
    std::vector<std::string_view> options;  // that named the column
  };

  explicit OutboxMapper(OutboxColumns columns, ValueModes modes = {})
      : columns_(std::move(columns)), modes_(modes) {}

  // Whether all columns are there that may not be missing.
  [[nodiscard]] bool has_columns(const pgoutput::Relation& relation) const;

  // True if a plan can only be made with what the catalog says of the columns: one has a type that
  // only its own database knows.
  [[nodiscard]] bool needs_column_facts(const pgoutput::Relation& relation) const;

  // Throws Error{kUndecodable} when a column is missing or has a type that its role cannot take,
  // with the columns that are there. Without facts every column is optional and has no default.
  [[nodiscard]] Plan plan(const pgoutput::Relation& relation,
                          std::span<const ColumnFacts> facts = {}) const;

  // Throws Error{kUndecodable} when the row does not fit; it names the row by `lsn` and its event
  // id, and never shows another value.
  [[nodiscard]] OutboxEvent map(const Plan& plan, const pgoutput::TupleData& row, Lsn lsn);

 private:
  OutboxColumns columns_;
  ValueModes modes_;
  std::vector<OutboxEvent::Text> values_;  // by slot
  std::string routing_text_;
};

// The row does not fit, seen while its values are written: as map() reports it. `option` names the
// column's role.
[[nodiscard]] Error row_misfit(const OutboxMapper::Plan& plan, Lsn lsn, std::string_view option,
                               const ValueRefusal& refusal);

}  // namespace walpost
