#include "walpost/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "walpost/check.h"
#include "walpost/converter.h"
#include "walpost/error.h"
#include "walpost/header_members.h"
#include "walpost/trace_context.h"

namespace walpost {
namespace {

using enum ColumnSlot::Value;

constexpr std::string_view kPayloadOption = "--table-field-event-payload";

// As Debezium's connector makes a topic's name, and from it the row's schema name, of what a table
// is called: one underscore for each UTF-16 unit that Kafka does not take.
std::string sanitized(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_legal = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                          (byte >= 'A' && byte <= 'Z') || c == '.' || c == '_' || c == '-';
    if (is_legal) {
      result += c;
    } else if (byte >= 0xF0) {
      result += "__";  // a surrogate pair
    } else if (byte < 0x80 || byte >= 0xC0) {
      result += '_';
    }
  }
  return result;
}

// As Java's String.trim().isEmpty().
bool is_blank(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

}  // namespace

Router::Router(const RouterOptions& options, const OutboxColumns& columns)
    : options_(options),
      columns_(columns),
      topic_route_(options.route_topic_regex, options.route_topic_replacement),
      has_envelope_(std::any_of(
          columns.additional.begin(), columns.additional.end(),
          [](const AdditionalField& field) { return field.placement == Placement::kEnvelope; })) {}

bool Router::needs_column_facts() const noexcept {
  return options_.key_format == FieldFormat::kJsonSchema ||
         options_.value_format == FieldFormat::kJsonSchema ||
         options_.header_format == FieldFormat::kJsonSchema;
}

Router::Plan Router::plan(const OutboxMapper::Plan& columns) const {
  const auto encoder = [&](std::size_t slot, FieldFormat format) {
    return FieldEncoder(*columns.types[slot], format);
  };
  Plan plan{
      .id = encoder(kId, options_.header_format),
      .key = encoder(kKey, options_.key_format),
      .payload = encoder(kPayload, options_.value_format),
      .headers = {},
      .envelope = {},
      .row_schema_prefix = sanitized(columns.nspname) + '.' + sanitized(columns.relname) + '.'};
  if (!options_.topic_prefix.empty()) {
    plan.row_schema_prefix = options_.topic_prefix + '.' + plan.row_schema_prefix;
  }
  for (std::size_t i = 0; i < columns_.additional.size(); ++i) {
    const AdditionalField& field = columns_.additional[i];
    const std::size_t slot = kAdditional + i;
    if (!columns.types[slot]) continue;  // missing, and that is allowed
    if (field.placement == Placement::kHeader) {
      plan.headers.push_back({field.alias, i, encoder(slot, options_.header_format)});
    } else if (field.placement == Placement::kEnvelope) {
      plan.envelope.push_back({field.alias, i, encoder(slot, options_.value_format)});
    }
  }
  return plan;
}

Record Router::route(const Plan& plan, const OutboxMapper::Plan& columns, const OutboxEvent& event,
                     const EventPosition& position, PgTimestamp now) {
  writing_ = kPayloadOption;
  writing_field_ = nullptr;
  try {
    const auto value = value_of(plan, event);
    writing_ = columns.options[kKey];
    const auto key = plan.key.encode(event.key, key_buffer_);
    writing_ = columns.options[kId];
    fill_headers(plan, event, position);
    const auto fallback =
        options_.record_timestamp == RecordTimestamp::kCommit ? position.commit_time : now;
    const std::int64_t timestamp_ms = event.timestamp.value_or(fallback).to_unix_ms();
    if (event.timestamp && timestamp_ms <= 0) {
      writing_ = columns.options[kTimestamp];
      throw ValueRefusal("is not after 1970-01-01 00:00:00, and no record can have such a time");
    }
    return Record{
        .topic = topic_of(event.routing_text),
        .partition = event.partition,
        .key = key,
        .value = value,
        .headers = headers_,
        .timestamp_ms = timestamp_ms,
        .event_id = event.id.value_or(std::string_view()),
    };
  } catch (const ValueRefusal& refusal) {
    const std::string option =
        writing_field_ == nullptr
            ? std::string(writing_)
            : fmt::format("--table-fields-additional-placement, \"{}\",", writing_field_->column);
    throw row_misfit(columns, position.lsn, option, refusal);
  }
}

std::optional<std::string_view> Router::value_of(const Plan& plan, const OutboxEvent& event) {
  const ColumnType& type = plan.payload.type();
  const OutboxEvent::Text text = plan.payload.text_of(event.payload);
  if (options_.tombstone_on_empty_payload) {
    const bool is_null = !text && !type.schema()->default_value;
    if (is_null || (text && type.is_plain_text() && is_blank(*text))) return std::nullopt;
  }
  std::optional<ExpandedJson> expanded;
  if (options_.expansion && type.schema()->type == ConnectType::kString) {
    if (type.is_plain_text()) {
      if (text) expanded = expand_json(*text, *options_.expansion);
    } else if (const auto value = plan.payload.value_of(event.payload); !value.is_null()) {
      expanded = expand_json(std::get<std::string>(value.value), *options_.expansion);
    }
  }
  if (has_envelope_) return envelope(plan, event, expanded);
  const bool stays_text =
      expanded && options_.value_format == FieldFormat::kRaw && expanded->is_text_in_debezium;
  if (expanded && !stays_text) {
    auto bytes = encode(*expanded->schema, expanded->value, options_.value_format);
    if (!bytes) return std::nullopt;
    value_buffer_ = std::move(*bytes);
    return value_buffer_;
  }
  return plan.payload.encode(event.payload, value_buffer_);
}

// {"payload": …, "<alias>": …}, in every format: Debezium's StringConverter would print the debug
// form Struct{…} (docs/DEBEZIUM.md).
std::string_view Router::envelope(const Plan& plan, const OutboxEvent& event,
                                  const std::optional<ExpandedJson>& expanded) {
  value_buffer_.clear();
  if (options_.value_format == FieldFormat::kJsonSchema) {
    append_envelope_with_schema(plan, event, expanded);
    return value_buffer_;
  }
  value_buffer_ += "{\"payload\":";
  if (expanded) {
    append_json(value_buffer_, expanded->schema.get(), expanded->value);
  } else {
    plan.payload.append_json(event.payload, value_buffer_);
  }
  for (const auto& field : plan.envelope) {
    writing_field_ = &columns_.additional[field.index];
    value_buffer_ += ',';
    append_json_string(value_buffer_, field.name);
    value_buffer_ += ':';
    field.encoder.append_json(event.additional[field.index], value_buffer_);
  }
  writing_field_ = nullptr;
  value_buffer_ += '}';
  return value_buffer_;
}

void Router::append_envelope_with_schema(const Plan& plan, const OutboxEvent& event,
                                         const std::optional<ExpandedJson>& expanded) {
  ConnectSchema schema;
  schema.type = ConnectType::kStruct;
  schema.name = fmt::format("{}{}.Value", plan.row_schema_prefix, event.routing_text);
  schema.version = event.schema_version;
  ConnectStruct members;
  const auto add = [&](const std::string& name, SchemaPtr field_schema, ConnectValue value) {
    schema.fields.push_back({name, std::move(field_schema)});
    members.members.push_back(std::move(value));
  };
  if (expanded) {
    add("payload", expanded->schema, expanded->value);
  } else {
    add("payload", plan.payload.type().schema(), plan.payload.value_of(event.payload));
  }
  for (const auto& field : plan.envelope) {
    writing_field_ = &columns_.additional[field.index];
    add(field.name, field.encoder.type().schema(),
        field.encoder.value_of(event.additional[field.index]));
  }
  writing_field_ = nullptr;
  append_json_with_schema(value_buffer_, &schema, ConnectValue{std::move(members)});
}

// In Debezium's order: the connector's, those of a trace, the id, the placement list's.
void Router::fill_headers(const Plan& plan, const OutboxEvent& event,
                          const EventPosition& position) {
  headers_.clear();
  buffers_used_ = 0;
  if (options_.extended_headers_run_id) {
    headers_.push_back({"__debezium.context.connectorLogicalName", options_.topic_prefix});
    headers_.push_back({"__debezium.context.taskId", "0"});
    headers_.push_back({"__debezium.context.connectorName", "postgresql"});
    headers_.push_back({"__debezium.context.runId", *options_.extended_headers_run_id});
  }
  if (event.tracing_span_context) {
    for (auto& [name, value] : trace_headers(*event.tracing_span_context)) {
      std::string& buffer = next_buffer();
      buffer = std::move(value);
      headers_.push_back({name, buffer});
    }
  }
  if (event.traceparent) headers_.push_back({"traceparent", event.traceparent});
  if (event.tracestate) headers_.push_back({"tracestate", event.tracestate});
  if (event.baggage) headers_.push_back({"baggage", event.baggage});
  headers_.push_back({"id", plan.id.encode(event.id, next_buffer())});
  for (const auto& field : plan.headers) {
    writing_field_ = &columns_.additional[field.index];
    headers_.push_back(
        {field.name, field.encoder.encode(event.additional[field.index], next_buffer())});
  }
  writing_field_ = nullptr;
  if (event.headers_from) {
    writing_ = "--headers-from";
    for (auto& [name, value] : header_members(*event.headers_from)) {
      std::string& name_buffer = next_buffer();
      name_buffer = std::move(name);
      std::string& value_buffer = next_buffer();
      if (value) value_buffer = std::move(*value);
      headers_.push_back(
          {name_buffer, value ? std::optional<std::string_view>(value_buffer) : std::nullopt});
    }
  }
  if (options_.position_headers) add_position_headers(position);
}

void Router::add_position_headers(const EventPosition& position) {
  const auto add = [&](std::string_view name, std::string value) {
    std::string& buffer = next_buffer();
    buffer = std::move(value);
    headers_.push_back({name, buffer});
  };
  add("walpost.commit.lsn", position.commit_lsn.to_string());
  add("walpost.transaction.id", std::to_string(position.xid.value));
  add("walpost.transaction.ordinal", std::to_string(position.ordinal));
}

// One that no header of this event has; its memory is kept from event to event.
std::string& Router::next_buffer() {
  if (buffers_used_ == header_buffers_.size()) header_buffers_.emplace_back();
  return header_buffers_[buffers_used_++];
}

std::string_view Router::topic_of(std::string_view routing_text) {
  if (const auto known = topics_.find(routing_text); known != topics_.end()) return known->second;
  if (topics_.size() >= kMaxRememberedTopics) topics_.clear();
  std::string topic = topic_route_.topic(routing_text);
  return topics_.emplace(routing_text, std::move(topic)).first->second;
}

}  // namespace walpost
