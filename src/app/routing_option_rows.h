#pragma once

#include <array>

#include "option_row_parts.h"
#include "routing_option_values.h"

namespace walpost {

// The part of the option table that follows Debezium's names. For option_table.cc alone.

inline bool parse_additional_missing(std::string_view text) {
  return parse_word<bool, 2>(text, {{{"error", false}, {"ignore", true}}});
}

inline InvalidOperation parse_invalid_operation(std::string_view text) {
  return parse_word<InvalidOperation, 3>(text, {{{"warn", InvalidOperation::kWarn},
                                                 {"error", InvalidOperation::kError},
                                                 {"fatal", InvalidOperation::kFatal}}});
}

inline FieldFormat parse_format(std::string_view text) {
  return parse_choice<FieldFormat, 3>(text, {{{"raw", FieldFormat::kRaw},
                                              {"json", FieldFormat::kJson},
                                              {"json-schema", FieldFormat::kJsonSchema}}});
}

inline FieldFormat parse_header_format(std::string_view text) {
  return parse_choice<FieldFormat, 4>(text, {{{"simple", FieldFormat::kSimple},
                                              {"raw", FieldFormat::kRaw},
                                              {"json", FieldFormat::kJson},
                                              {"json-schema", FieldFormat::kJsonSchema}}});
}

inline RecordTimestamp parse_record_timestamp(std::string_view text) {
  return parse_choice<RecordTimestamp, 2>(
      text, {{{"commit", RecordTimestamp::kCommit}, {"now", RecordTimestamp::kNow}}});
}

inline BinaryHandlingMode parse_binary_handling_mode(std::string_view text) {
  return parse_word<BinaryHandlingMode, 4>(
      text, {{{"bytes", BinaryHandlingMode::kBytes},
              {"base64", BinaryHandlingMode::kBase64},
              {"base64-url-safe", BinaryHandlingMode::kBase64UrlSafe},
              {"hex", BinaryHandlingMode::kHex}}});
}

inline DecimalHandlingMode parse_decimal_handling_mode(std::string_view text) {
  return parse_word<DecimalHandlingMode, 3>(text, {{{"precise", DecimalHandlingMode::kPrecise},
                                                    {"double", DecimalHandlingMode::kDouble},
                                                    {"string", DecimalHandlingMode::kString}}});
}

inline TimePrecisionMode parse_time_precision_mode(std::string_view text) {
  return parse_word<TimePrecisionMode, 6>(
      text, {{{"adaptive", TimePrecisionMode::kAdaptive},
              {"adaptive_time_microseconds", TimePrecisionMode::kAdaptiveTimeMicroseconds},
              {"connect", TimePrecisionMode::kConnect},
              {"isostring", TimePrecisionMode::kIsoString},
              {"microseconds", TimePrecisionMode::kMicroseconds},
              {"nanoseconds", TimePrecisionMode::kNanoseconds}}});
}

inline IntervalHandlingMode parse_interval_handling_mode(std::string_view text) {
  return parse_word<IntervalHandlingMode, 2>(text, {{{"numeric", IntervalHandlingMode::kNumeric},
                                                     {"string", IntervalHandlingMode::kString}}});
}

inline HstoreHandlingMode parse_hstore_handling_mode(std::string_view text) {
  return parse_word<HstoreHandlingMode, 2>(
      text, {{{"json", HstoreHandlingMode::kJson}, {"map", HstoreHandlingMode::kMap}}});
}

inline std::uint8_t parse_money_fraction_digits(std::string_view text) {
  constexpr std::int64_t kMost = 18;
  return static_cast<std::uint8_t>(parse_number(text, 0, kMost));
}

inline JsonExpansion::NullBehavior parse_null_behavior(std::string_view text) {
  using Behavior = JsonExpansion::NullBehavior;
  return parse_word<Behavior, 2>(
      text, {{{"ignore", Behavior::kIgnore}, {"optional_bytes", Behavior::kOptionalBytes}}});
}

inline JsonExpansion::EmptyArrayBehavior parse_empty_array_behavior(std::string_view text) {
  using Behavior = JsonExpansion::EmptyArrayBehavior;
  return parse_word<Behavior, 2>(
      text, {{{"ignore", Behavior::kIgnore}, {"optional_string", Behavior::kOptionalString}}});
}

inline JsonExpansion::FieldNameAdjustment parse_adjustment_mode(std::string_view text) {
  using Adjustment = JsonExpansion::FieldNameAdjustment;
  return parse_word<Adjustment, 3>(text, {{{"none", Adjustment::kNone},
                                           {"avro", Adjustment::kAvro},
                                           {"avro_unicode", Adjustment::kAvroUnicode}}});
}

inline constexpr std::array kRoutingRows{
    OptionRow{"route-by-field", 0, kValue, "COLUMN", "aggregatetype", "",
              "The column whose text decides the topic.", OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::columns, &OutboxColumns::route_by_field, parse_identifier>},
    OptionRow{"route-topic-regex", 0, kValue, "REGEX", "(?<routedByValue>.*)", "",
              "Rewrite the topic where this Java regular expression matches the whole text.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::router, &RouterOptions::route_topic_regex, parse_text>},
    OptionRow{"route-topic-replacement", 0, kValue, "TEMPLATE", "outbox.event.${routedByValue}", "",
              "The topic, with Java's references to groups of the expression.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::router, &RouterOptions::route_topic_replacement, parse_text>},
    OptionRow{"route-tombstone-on-empty-payload", 0, kSwitch, "", "false", "",
              "Send a null value where the payload is NULL or blank.", OptionGroup::kRouting,
              kRouting, nullptr,
              set_in<&Options::router, &RouterOptions::tombstone_on_empty_payload, parse_boolean>},
    OptionRow{"table-field-event-id", 0, kValue, "COLUMN", "id", "",
              "The column of the event's id, which becomes the header id.", OptionGroup::kRouting,
              kRouting, nullptr,
              set_in<&Options::columns, &OutboxColumns::event_id, parse_identifier>},
    OptionRow{"table-field-event-key", 0, kValue, "COLUMN", "aggregateid", "",
              "The column that becomes the record's key.", OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::columns, &OutboxColumns::event_key, parse_identifier>},
    OptionRow{"table-field-event-payload", 0, kValue, "COLUMN", "payload", "",
              "The column that becomes the record's value.", OptionGroup::kRouting, kRouting,
              nullptr, set_in<&Options::columns, &OutboxColumns::event_payload, parse_identifier>},
    OptionRow{"table-field-event-timestamp", 0, kValue, "COLUMN", "", "a column, or empty for none",
              "The column of the record's timestamp.", OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::columns, &OutboxColumns::event_timestamp, parse_column_or_none>},
    OptionRow{
        "table-field-event-schema-version", 0, kValue, "COLUMN", "", "a column, or empty for none",
        "The integer column that gives the version of the envelope's schema.",
        OptionGroup::kRouting, kRouting, nullptr,
        set_in<&Options::columns, &OutboxColumns::event_schema_version, parse_column_or_none>},
    OptionRow{"table-fields-additional-placement", 0, kValue, "LIST", "",
              "COLUMN:header|envelope|partition[:ALIAS],...",
              "Further columns that become headers, members of an envelope around the payload, or "
              "the partition.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::columns, &OutboxColumns::additional, parse_additional_placement>},
    OptionRow{"table-field-additional-missing", 0, kValue, "error|ignore", "error", "",
              "Whether a column of that list may be missing.", OptionGroup::kRouting, kRouting,
              nullptr,
              set_in<&Options::columns, &OutboxColumns::ignore_missing_additional,
                     parse_additional_missing>},
    OptionRow{"table-op-invalid-behavior", 0, kValue, "warn|error|fatal", "warn", "",
              "What an UPDATE of an outbox row does, which never is an event: it is logged, or "
              "ends walpost with exit code 5.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_one<&Options::invalid_operation, parse_invalid_operation>},
    OptionRow{"table-expand-json-payload", 0, kSwitch, "", "false", "",
              "Read a textual payload as JSON and send it as structured data.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_one<&Options::expand_json_payload, parse_boolean>},
    OptionRow{"table-json-payload-null-behavior", 0, kValue, "ignore|optional_bytes", "ignore", "",
              "Leave out the members of expanded JSON that are null, or keep them.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::expansion, &JsonExpansion::null_behavior, parse_null_behavior>},
    OptionRow{"table-json-payload-empty-array-behavior", 0, kValue, "ignore|optional_string",
              "ignore", "",
              "Leave out the members of expanded JSON that are empty arrays, or keep them.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::expansion, &JsonExpansion::empty_array_behavior,
                     parse_empty_array_behavior>},
    OptionRow{
        "field-name-adjustment-mode", 0, kValue, "none|avro|avro_unicode", "none", "",
        "Rename the members of expanded JSON to names that Avro takes.", OptionGroup::kRouting,
        kRouting, nullptr,
        set_in<&Options::expansion, &JsonExpansion::field_name_adjustment, parse_adjustment_mode>},
    OptionRow{"key-format", 0, kValue, "raw|json|json-schema", "raw", "",
              "Write keys as text, as JSON, or as JSON with its schema: Kafka Connect's "
              "StringConverter or JsonConverter.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::router, &RouterOptions::key_format, parse_format>},
    OptionRow{"value-format", 0, kValue, "raw|json|json-schema", "raw", "",
              "Write values as they stand, as JSON, or as JSON with its schema.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::router, &RouterOptions::value_format, parse_format>},
    OptionRow{"header-format", 0, kValue, "simple|raw|json|json-schema", "simple", "",
              "Write headers as Kafka Connect's SimpleHeaderConverter, StringConverter or "
              "JsonConverter does.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::router, &RouterOptions::header_format, parse_header_format>},
    OptionRow{"binary-handling-mode", 0, kValue, "bytes|base64|base64-url-safe|hex", "bytes", "",
              "What a bytea column is: bytes, or a text of them.", OptionGroup::kRouting, kRouting,
              nullptr,
              set_in<&Options::value_modes, &ValueModes::binary_handling_mode,
                     parse_binary_handling_mode>},
    OptionRow{"decimal-handling-mode", 0, kValue, "precise|double|string", "precise", "",
              "What numeric and money columns are.", OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::value_modes, &ValueModes::decimal_handling_mode,
                     parse_decimal_handling_mode>},
    OptionRow{
        "time-precision-mode", 0, kValue, "MODE", "adaptive",
        "adaptive, adaptive_time_microseconds, connect, isostring, microseconds or nanoseconds",
        "What date, time and timestamp columns are.", OptionGroup::kRouting, kRouting, nullptr,
        set_in<&Options::value_modes, &ValueModes::time_precision_mode, parse_time_precision_mode>},
    OptionRow{"interval-handling-mode", 0, kValue, "numeric|string", "numeric", "",
              "What an interval column is: microseconds, or an ISO 8601 text.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::value_modes, &ValueModes::interval_handling_mode,
                     parse_interval_handling_mode>},
    OptionRow{"hstore-handling-mode", 0, kValue, "json|map", "json", "",
              "What an hstore column is: a JSON text, or a map.", OptionGroup::kRouting, kRouting,
              nullptr,
              set_in<&Options::value_modes, &ValueModes::hstore_handling_mode,
                     parse_hstore_handling_mode>},
    OptionRow{"money-fraction-digits", 0, kValue, "N", "2", "0 to 18",
              "Digits after the point of a money column.", OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::value_modes, &ValueModes::money_fraction_digits,
                     parse_money_fraction_digits>},
    OptionRow{"include-unknown-datatypes", 0, kSwitch, "", "false", "",
              "Take columns of types that Debezium does not know as the bytes of their text.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::value_modes, &ValueModes::include_unknown_datatypes, parse_boolean>},
    OptionRow{"topic-prefix", 0, kValue, "TEXT", "", "letters, digits, \".\", \"-\" and \"_\"",
              "The first part of the schema names that the format json-schema writes.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::router, &RouterOptions::topic_prefix, parse_topic_prefix>},
    OptionRow{
        "extended-headers-enabled", 0, kSwitch, "", "false", "",
        "Send Debezium's four headers __debezium.context.*, one of which is random for each start.",
        OptionGroup::kRouting, kRouting, nullptr,
        set_one<&Options::extended_headers_enabled, parse_boolean>},
    OptionRow{"position-headers", 0, kSwitch, "", "false", "",
              "Send headers with the commit's LSN, the transaction's id and the event's ordinal in "
              "it, for consumers that leave out repeats.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::router, &RouterOptions::position_headers, parse_boolean>},
    OptionRow{"headers-from", 0, kValue, "COLUMN", "",
              "a column of a JSON object, or empty for none",
              "Send each member of this column's JSON object as a header.", OptionGroup::kRouting,
              kRouting, nullptr,
              set_in<&Options::columns, &OutboxColumns::headers_from, parse_column_or_none>},
    OptionRow{"trace-context-headers", 0, kSwitch, "", "false", "",
              "Send the columns traceparent, tracestate and baggage as headers.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::columns, &OutboxColumns::trace_context, parse_boolean>},
    OptionRow{
        "tracing-span-context-field", 0, kValue, "COLUMN", "", "a column, or empty for none",
        "Send traceparent, tracestate and baggage out of this column, a serialized "
        "java.util.Properties.",
        OptionGroup::kRouting, kRouting, nullptr,
        set_in<&Options::columns, &OutboxColumns::tracing_span_context, parse_column_or_none>},
    OptionRow{"tracing-operation-name", 0, kValue, "TEXT", "debezium-read", "",
              "Taken for Debezium's sake and of no effect: walpost makes no spans of its own.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_one<&Options::tracing_operation_name, parse_text>},
    OptionRow{
        "tracing-with-context-field-only", 0, kSwitch, "", "false", "",
        "Taken for Debezium's sake and of no effect: only rows with a context have one to pass "
        "on.",
        OptionGroup::kRouting, kRouting, nullptr,
        set_one<&Options::tracing_with_context_field_only, parse_boolean>},
    OptionRow{"record-timestamp", 0, kValue, "commit|now", "commit", "",
              "The record's timestamp where no column gives it: the transaction's commit, or the "
              "time of processing.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_in<&Options::router, &RouterOptions::record_timestamp, parse_record_timestamp>},
    OptionRow{"skipped-operations", 0, kValue, "LIST", "t", "some of u, d, t and r, or none",
              "Operations that are not even logged: of these, only u matters.",
              OptionGroup::kRouting, kRouting, nullptr,
              set_one<&Options::skipped_operations, parse_skipped_operations>},
};

}  // namespace walpost
