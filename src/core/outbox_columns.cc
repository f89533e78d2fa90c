#include "walpost/outbox_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "walpost/check.h"
#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

using enum ColumnSlot::Value;

// pg_type.dat
constexpr Oid kInt4Oid{23};
constexpr Oid kTimestampOid{1114};
constexpr Oid kTimestamptzOid{1184};

}  // namespace

std::string to_sql(const TableName& table) {
  return quote_identifier(table.nspname) + "." + quote_identifier(table.relname);
}

std::vector<ColumnRole> column_roles(const OutboxColumns& columns) {
  std::vector<ColumnRole> roles = {
      {kId, columns.event_id, "--table-field-event-id"},
      {kKey, columns.event_key, "--table-field-event-key"},
      {kRouting, columns.route_by_field, "--route-by-field", ColumnNeed::kText},
      {kPayload, columns.event_payload, "--table-field-event-payload"}};
  const auto add = [&](ColumnSlot::Value slot, const std::optional<std::string>& column,
                       std::string_view option, ColumnNeed need) {
    if (column) roles.push_back({slot, *column, option, need});
  };
  const bool has_envelope =
      std::any_of(columns.additional.begin(), columns.additional.end(),
                  [](const auto& field) { return field.placement == Placement::kEnvelope; });
  add(kType, columns.event_type, "--table-field-event-type", ColumnNeed::kText);
  add(kTimestamp, columns.event_timestamp, "--table-field-event-timestamp", ColumnNeed::kTimestamp);
  // Debezium does not look at it without an envelope, not even whether it is there.
  if (has_envelope) {
    add(kSchemaVersion, columns.event_schema_version, "--table-field-event-schema-version",
        ColumnNeed::kInteger);
  }
  add(kTracingSpanContext, columns.tracing_span_context, "--tracing-span-context-field",
      ColumnNeed::kText);
  add(kHeadersFrom, columns.headers_from, "--headers-from", ColumnNeed::kText);
  if (columns.trace_context) {
    constexpr std::string_view kOption = "--trace-context-headers";
    roles.push_back({kTraceparent, "traceparent", kOption, ColumnNeed::kText});
    roles.push_back({kTracestate, "tracestate", kOption, ColumnNeed::kText, true});
    roles.push_back({kBaggage, "baggage", kOption, ColumnNeed::kText, true});
  }
  for (std::size_t i = 0; i < columns.additional.size(); ++i) {
    const AdditionalField& field = columns.additional[i];
    const bool is_partition = field.placement == Placement::kPartition;
    roles.push_back({kAdditional + i, field.column, "--table-fields-additional-placement",
                     is_partition ? ColumnNeed::kInteger : ColumnNeed::kValue,
                     columns.ignore_missing_additional});
  }
  return roles;
}

std::optional<RoleRefusal> refusal_of(const ColumnRole& role, Oid type_oid,
                                      const std::optional<ColumnType>& type) {
  const auto refuse = [&](std::string_view what, std::string_view wanted) {
    return RoleRefusal{std::string(what), fmt::format("name {} with {}", wanted, role.option)};
  };
  if (!type) {
    return RoleRefusal{"has a type that Debezium leaves out",
                       fmt::format("name a column of another type with {}, or give "
                                   "--include-unknown-datatypes to have its text as bytes",
                                   role.option)};
  }
  switch (role.need) {
    case ColumnNeed::kValue:
      return std::nullopt;
    case ColumnNeed::kText:
      if (type->schema()->type == ConnectType::kString) return std::nullopt;
      return refuse("has a type that is no text", "a column of a textual type");
    case ColumnNeed::kInteger:
      if (type_oid == kInt4Oid) return std::nullopt;
      return refuse("is not of type integer", "an integer column");
    case ColumnNeed::kTimestamp:
      if (type_oid == kTimestampOid || type_oid == kTimestamptzOid) {
        return std::nullopt;
      }
      return refuse("is neither timestamp nor timestamptz",
                    "a timestamp column, or none to take the time of the commit,");
  }
  CHECK(false);
}

}  // namespace walpost
