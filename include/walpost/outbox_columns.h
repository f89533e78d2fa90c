#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "walpost/column_type.h"
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

// Where a column goes besides key and payload: table.fields.additional.placement.
enum class Placement { kHeader, kEnvelope, kPartition };

struct AdditionalField {
  std::string column;
  Placement placement = Placement::kHeader;
  std::string alias;  // of the header or the envelope's member
  friend bool operator==(const AdditionalField&, const AdditionalField&) = default;
};

// Which column plays which role: Debezium's options of the outbox event router, same defaults.
struct OutboxColumns {
  std::string event_id = "id";                      // table.field.event.id
  std::string event_key = "aggregateid";            // table.field.event.key
  std::string event_payload = "payload";            // table.field.event.payload
  std::string route_by_field = "aggregatetype";     // route.by.field
  std::optional<std::string> event_type;            // table.field.event.type, where a format has it
  std::optional<std::string> event_timestamp;       // table.field.event.timestamp
  std::optional<std::string> event_schema_version;  // table.field.event.schema.version
  std::vector<AdditionalField> additional;          // table.fields.additional.placement
  bool ignore_missing_additional = false;           // table.field.additional.missing=ignore
  std::optional<std::string> tracing_span_context;  // tracing.span.context.field
  std::optional<std::string> headers_from;          // --headers-from
  bool trace_context = false;                       // --trace-context-headers
};

// Where a value of a row goes. kAdditional + n is the n-th additional field.
struct ColumnSlot {
  enum Value : std::size_t {
    kId,
    kKey,
    kRouting,
    kPayload,
    kType,
    kTimestamp,
    kSchemaVersion,
    kTracingSpanContext,
    kHeadersFrom,
    kTraceparent,
    kTracestate,
    kBaggage,
    kAdditional,
  };
};

// What a role asks of its column.
enum class ColumnNeed {
  kValue,      // any type that Debezium knows
  kText,       // Connect's STRING
  kInteger,    // integer: Debezium takes neither smallint nor bigint
  kTimestamp,  // timestamp, and beyond Debezium timestamptz
};

// A column that an option names. Views of the OutboxColumns it was made of, and literals.
struct ColumnRole {
  std::size_t slot = ColumnSlot::kAdditional;
  std::string_view column;
  std::string_view option;  // "--table-field-event-id"
  ColumnNeed need = ColumnNeed::kValue;
  bool may_be_missing = false;
};

// Every column that is looked at, in an order of no meaning.
[[nodiscard]] std::vector<ColumnRole> column_roles(const OutboxColumns& columns);
std::vector<ColumnRole> column_roles(OutboxColumns&& columns) = delete;

// Why a column cannot play the role: "has a type that is no text", with what to name instead.
// nullopt: it can. `type_oid` is what a domain is made of. No type: Debezium leaves the column out.
struct RoleRefusal {
  std::string what;
  std::string hint;
};
[[nodiscard]] std::optional<RoleRefusal> refusal_of(const ColumnRole& role, Oid type_oid,
                                                    const std::optional<ColumnType>& type);

}  // namespace walpost
