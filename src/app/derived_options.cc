#include "derived_options.h"

#include <algorithm>

#include "connection.h"
#include "walpost/error.h"

namespace walpost {
namespace {

bool names_brokers(const Options& options) {
  const auto is_brokers = [](const Property& property) {
    return property.first == "bootstrap.servers" || property.first == "metadata.broker.list";
  };
  // The file is read where the properties are put together, and may name them.
  return !options.brokers.empty() || !options.kafka_config_file.empty() ||
         std::ranges::any_of(options.kafka_properties, is_brokers);
}

}  // namespace

Wanted wanted_of(const Options& options) {
  Wanted wanted{.slot = options.slot,
                .publication = options.publication,
                .tables = options.tables,
                .columns = {{"--table-field-event-id", options.event_id_column},
                            {"--table-field-event-key", options.event_key_column},
                            {"--table-field-event-payload", options.event_payload_column},
                            {"--route-by-field", options.route_by_field}},
                .shown_dbname = {},
                .role = options.role};
  if (!options.event_timestamp_column.empty()) {
    wanted.columns.push_back({"--table-field-event-timestamp", options.event_timestamp_column});
  }
  if (!options.conninfo.empty()) wanted.shown_dbname = conninfo_without_secrets(options.conninfo);
  return wanted;
}

OutboxColumns outbox_columns_of(const Options& options) {
  OutboxColumns columns{.event_id = options.event_id_column,
                        .event_key = options.event_key_column,
                        .event_payload = options.event_payload_column,
                        .route_by_field = options.route_by_field,
                        .event_timestamp = std::nullopt};
  if (!options.event_timestamp_column.empty()) {
    columns.event_timestamp = options.event_timestamp_column;
  }
  return columns;
}

RouterOptions router_options_of(const Options& options) {
  return {.route_topic_regex = options.route_topic_regex,
          .route_topic_replacement = options.route_topic_replacement,
          .record_timestamp = options.record_timestamp};
}

void validate_for_streaming(const Options& options) {
  if (options.sink == SinkKind::kKafka && !names_brokers(options)) {
    throw Error(ExitCode::kUsage, "--brokers is missing: --sink kafka needs to know where Kafka is",
                "--brokers HOST:PORT; or --sink stdout to see the records without Kafka");
  }
  static_cast<void>(resolve_conninfo(options.conninfo));
  static_cast<void>(Router(router_options_of(options)));
}

}  // namespace walpost
