#pragma once

#include <array>

#include "debezium_table.h"

namespace walpost::debezium_rows {

// Names of io.debezium.transforms.outbox.EventRouter. For debezium_table.cc alone.

inline constexpr auto kR = DebeziumScope::kRouter;

inline constexpr std::array kRouter{
    DebeziumRow{kR, "type", kTogether, "", "", "the router itself"},
    DebeziumRow{kR, "predicate", kTogether, "", "",
                "TopicNameMatches that holds for all tables, or a negated RecordIsTombstone: no "
                "effect, for walpost reads the outbox tables alone"},
    DebeziumRow{kR, "negate", kTogether, "", "", "of the predicate"},
    DebeziumRow{kR, "route.by.field", kColumn, "route-by-field", "", ""},
    DebeziumRow{kR, "route.topic.regex", kWord, "route-topic-regex", "", ""},
    DebeziumRow{kR, "route.topic.replacement", kWord, "route-topic-replacement", "", ""},
    DebeziumRow{kR, "route.tombstone.on.empty.payload", kSwitch, "route-tombstone-on-empty-payload",
                "", ""},
    DebeziumRow{kR, "table.op.invalid.behavior", kWord, "table-op-invalid-behavior", "", ""},
    DebeziumRow{kR, "table.field.event.id", kColumn, "table-field-event-id", "", ""},
    DebeziumRow{kR, "table.field.event.key", kColumn, "table-field-event-key", "", ""},
    DebeziumRow{kR, "table.field.event.payload", kColumn, "table-field-event-payload", "", ""},
    DebeziumRow{kR, "table.field.event.timestamp", kColumn, "table-field-event-timestamp", "", ""},
    DebeziumRow{kR, "table.field.event.schema.version", kColumn, "table-field-event-schema-version",
                "", ""},
    DebeziumRow{kR, "table.field.event.type", kNoEffect, "", "", "Debezium never uses it"},
    DebeziumRow{kR, "table.fields.additional.placement", kColumn,
                "table-fields-additional-placement", "", ""},
    DebeziumRow{kR, "table.field.additional.missing", kWord, "table-field-additional-missing", "",
                ""},
    DebeziumRow{kR, "table.expand.json.payload", kSwitch, "table-expand-json-payload", "", ""},
    DebeziumRow{kR, "table.json.payload.null.behavior", kWord, "table-json-payload-null-behavior",
                "", ""},
    DebeziumRow{kR, "table.json.payload.empty.array.behavior", kWord,
                "table-json-payload-empty-array-behavior", "", ""},
    DebeziumRow{kR, "field.name.adjustment.mode", kWord, "field-name-adjustment-mode", "", ""},
    DebeziumRow{kR, "tracing.span.context.field", kColumn, "tracing-span-context-field", "",
                "the row's own context; walpost makes no span of its own"},
    DebeziumRow{kR, "tracing.operation.name", kText, "tracing-operation-name", "",
                "no effect on records: walpost makes no span of its own"},
    DebeziumRow{kR, "tracing.with.context.field.only", kSwitch, "tracing-with-context-field-only",
                "", "no effect on records: walpost makes no span of its own"},
    DebeziumRow{kR, "table.field.event.payload.id", kNoEffect, "", "",
                "Debezium no longer reads it; the key comes from table.field.event.key"},
    DebeziumRow{kR, "debezium.op.invalid.behavior", kNoEffect, "", "",
                "Debezium no longer reads it"},
    DebeziumRow{kR, "debezium.expand.json.payload", kNoEffect, "", "",
                "Debezium no longer reads it"},
};

}  // namespace walpost::debezium_rows
