#include "option_table.h"

#include <gtest/gtest.h>

#include <set>

#include "option_values.h"

namespace walpost {
namespace {

std::vector<std::string> default_texts(const OptionRow& row) {
  if (row.default_text.empty()) return {};
  return {std::string(row.default_text)};
}

// Every default in the table, read by its setter.
Options options_of_the_table() {
  Options options;
  for (const OptionRow& row : option_table()) {
    const std::vector<std::string> texts = default_texts(row);
    if (!texts.empty()) row.set(options, texts);
  }
  options.http_asked_for = false;  // nobody asked: these are the defaults
  return options;
}

TEST(OptionTableTest, DefaultsAreThoseOfTheStruct) {
  const Options table = options_of_the_table();
  const Options plain;
  EXPECT_EQ(table.conninfo, plain.conninfo);
  EXPECT_EQ(table.slot, plain.slot);
  EXPECT_EQ(table.publication, plain.publication);
  EXPECT_EQ(table.tables, plain.tables);
  EXPECT_EQ(table.auto_setup, plain.auto_setup);
  EXPECT_EQ(table.end_position.has_value(), plain.end_position.has_value());
  EXPECT_EQ(table.status_interval, plain.status_interval);
  EXPECT_EQ(table.reconnect_timeout, plain.reconnect_timeout);
  EXPECT_EQ(table.logical_decoding_work_mem_bytes, plain.logical_decoding_work_mem_bytes);
  EXPECT_EQ(table.max_slot_lag_bytes, plain.max_slot_lag_bytes);
  EXPECT_EQ(table.drain_timeout, plain.drain_timeout);
  EXPECT_EQ(table.sink, plain.sink);
  EXPECT_EQ(table.max_in_flight_records, plain.max_in_flight_records);
  EXPECT_EQ(table.max_in_flight_bytes, plain.max_in_flight_bytes);
  EXPECT_EQ(table.on_undeliverable, plain.on_undeliverable);
  EXPECT_EQ(table.topic_creation, plain.topic_creation);
  EXPECT_EQ(table.topic_partitions, plain.topic_partitions);
  EXPECT_EQ(table.topic_replication_factor, plain.topic_replication_factor);
  EXPECT_EQ(table.topic_timeout, plain.topic_timeout);
  EXPECT_EQ(table.columns.route_by_field, plain.columns.route_by_field);
  EXPECT_EQ(table.columns.event_id, plain.columns.event_id);
  EXPECT_EQ(table.columns.event_key, plain.columns.event_key);
  EXPECT_EQ(table.columns.event_payload, plain.columns.event_payload);
  EXPECT_EQ(table.columns.event_timestamp, plain.columns.event_timestamp);
  EXPECT_EQ(table.columns.event_schema_version, plain.columns.event_schema_version);
  EXPECT_EQ(table.columns.additional, plain.columns.additional);
  EXPECT_EQ(table.columns.ignore_missing_additional, plain.columns.ignore_missing_additional);
  EXPECT_EQ(table.columns.headers_from, plain.columns.headers_from);
  EXPECT_EQ(table.columns.trace_context, plain.columns.trace_context);
  EXPECT_EQ(table.columns.tracing_span_context, plain.columns.tracing_span_context);
  EXPECT_EQ(table.router.route_topic_regex, plain.router.route_topic_regex);
  EXPECT_EQ(table.router.route_topic_replacement, plain.router.route_topic_replacement);
  EXPECT_EQ(table.router.record_timestamp, plain.router.record_timestamp);
  EXPECT_EQ(table.router.tombstone_on_empty_payload, plain.router.tombstone_on_empty_payload);
  EXPECT_EQ(table.router.key_format, plain.router.key_format);
  EXPECT_EQ(table.router.value_format, plain.router.value_format);
  EXPECT_EQ(table.router.header_format, plain.router.header_format);
  EXPECT_EQ(table.router.topic_prefix, plain.router.topic_prefix);
  EXPECT_EQ(table.router.position_headers, plain.router.position_headers);
  EXPECT_EQ(table.expand_json_payload, plain.expand_json_payload);
  EXPECT_EQ(table.expansion.null_behavior, plain.expansion.null_behavior);
  EXPECT_EQ(table.expansion.empty_array_behavior, plain.expansion.empty_array_behavior);
  EXPECT_EQ(table.expansion.field_name_adjustment, plain.expansion.field_name_adjustment);
  EXPECT_EQ(table.extended_headers_enabled, plain.extended_headers_enabled);
  EXPECT_EQ(table.invalid_operation, plain.invalid_operation);
  EXPECT_EQ(table.skipped_operations, plain.skipped_operations);
  EXPECT_EQ(table.tracing_operation_name, plain.tracing_operation_name);
  EXPECT_EQ(table.tracing_with_context_field_only, plain.tracing_with_context_field_only);
  EXPECT_EQ(table.value_modes.binary_handling_mode, plain.value_modes.binary_handling_mode);
  EXPECT_EQ(table.value_modes.decimal_handling_mode, plain.value_modes.decimal_handling_mode);
  EXPECT_EQ(table.value_modes.time_precision_mode, plain.value_modes.time_precision_mode);
  EXPECT_EQ(table.value_modes.interval_handling_mode, plain.value_modes.interval_handling_mode);
  EXPECT_EQ(table.value_modes.hstore_handling_mode, plain.value_modes.hstore_handling_mode);
  EXPECT_EQ(table.value_modes.money_fraction_digits, plain.value_modes.money_fraction_digits);
  EXPECT_EQ(table.value_modes.include_unknown_datatypes,
            plain.value_modes.include_unknown_datatypes);
  EXPECT_EQ(table.http, plain.http);
  EXPECT_EQ(table.no_http, plain.no_http);
  EXPECT_EQ(table.log_format, plain.log_format);
  EXPECT_EQ(table.log_level, plain.log_level);
  EXPECT_EQ(table.progress, plain.progress);
  EXPECT_EQ(table.warn_lag_bytes, plain.warn_lag_bytes);
  EXPECT_EQ(table.max_lag_bytes, plain.max_lag_bytes);
}

TEST(OptionTableTest, NamesAndFlagsAreUnique) {
  std::set<std::string_view> names;
  std::set<char> flags = {'h', 'V'};
  for (const OptionRow& row : option_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.flag == 0 || flags.insert(row.flag).second) << row.name;
  }
}

TEST(OptionTableTest, EveryRowIsComplete) {
  for (const OptionRow& row : option_table()) {
    EXPECT_TRUE(row.help.ends_with('.')) << row.name;
    EXPECT_NE(row.commands, 0U) << row.name;
    EXPECT_NE(row.set, nullptr) << row.name;
    EXPECT_EQ(row.metavar.empty(), row.kind == OptionKind::kSwitch) << row.name;
  }
}

TEST(OptionTableTest, EveryAlternativeInAMetavarIsTaken) {
  for (const OptionRow& row : option_table()) {
    if (row.metavar.find('|') == std::string_view::npos || row.metavar == "LSN|now") continue;
    std::string_view rest = row.metavar;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      Options options;
      const std::vector<std::string> texts = {std::string(rest.substr(0, end))};
      EXPECT_NO_THROW(row.set(options, texts)) << row.name << " " << texts.front();
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

TEST(OptionTableTest, WordsThatTurnALimitOffAreTaken) {
  Options options;
  options.max_slot_lag_bytes = 1;
  const std::vector<std::string> off = {"off"};
  find_option("max-slot-lag")->set(options, off);
  EXPECT_EQ(options.max_slot_lag_bytes, std::nullopt);
}

TEST(OptionTableTest, NamesInTheirThreeForms) {
  const OptionRow& row = *find_option("max-in-flight-bytes");
  EXPECT_EQ(environment_name(row), "WALPOST_MAX_IN_FLIGHT_BYTES");
  EXPECT_EQ(option_usage(row), "--max-in-flight-bytes SIZE");
  EXPECT_EQ(option_usage(*find_option("dbname")), "-d, --dbname CONNINFO");
  EXPECT_EQ(find_option("no-such"), nullptr);
}

}  // namespace
}  // namespace walpost
