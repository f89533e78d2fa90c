#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topic_creation.h"
#include "walpost/event_decoder.h"
#include "walpost/log.h"
#include "walpost/outbox_event.h"
#include "walpost/pipeline.h"
#include "walpost/router.h"

namespace walpost {

// --http: where metrics and health are served.
struct HttpAddress {
  std::string host;
  std::uint16_t port = 0;  // 0: any free port
  friend bool operator==(const HttpAddress&, const HttpAddress&) = default;
};

// One librdkafka or topic property, KEY=VALUE.
using Property = std::pair<std::string, std::string>;

enum class SinkKind { kKafka, kStdout, kNull };
enum class OnUndeliverable { kStop };
enum class LogFormat { kAuto, kText, kJson };  // kAuto: text on a terminal, else JSON
enum class ProgressMode { kAuto, kAlways, kNever };

// The effective configuration of one walpost process, as option_table.h fills it. What each value
// means stands there; the defaults here and there are the same (a test compares them).
struct Options {
  // Connection and stream.
  std::string conninfo;  // empty: libpq's own defaults
  std::string slot = "walpost";
  std::string publication = "walpost";
  std::vector<TableName> tables = {{"public", "outbox"}};
  bool auto_setup = false;
  std::optional<EndPosition> end_position;
  std::chrono::milliseconds status_interval{1000};
  std::chrono::milliseconds reconnect_timeout{0};                // 0: for ever
  std::optional<std::uint64_t> logical_decoding_work_mem_bytes;  // nullopt: the server's
  std::optional<std::uint64_t> max_slot_lag_bytes;               // nullopt: no limit
  std::chrono::milliseconds drain_timeout{25'000};
  std::string config_file;
  std::string debezium_config_file;

  // Sinks.
  SinkKind sink = SinkKind::kKafka;
  std::string brokers;
  std::vector<Property> kafka_properties;  // in the order given; they beat kafka_config_file
  std::string kafka_config_file;
  std::uint64_t max_in_flight_records = 20'000;
  std::uint64_t max_in_flight_bytes = std::uint64_t{16} << 20;
  OnUndeliverable on_undeliverable = OnUndeliverable::kStop;
  TopicCreation topic_creation = TopicCreation::kBroker;
  std::int32_t topic_partitions = -1;          // -1: the broker's default
  std::int32_t topic_replication_factor = -1;  // -1: the broker's default
  std::vector<Property> topic_config;
  std::chrono::milliseconds topic_timeout{60'000};

  // Routing. routing.h makes of it what the core takes.
  OutboxColumns columns;
  std::string event_type_column = "type";  // for formats that have it
  ValueModes value_modes;
  RouterOptions router;
  bool expand_json_payload = false;
  JsonExpansion expansion;
  bool extended_headers_enabled = false;
  InvalidOperation invalid_operation = InvalidOperation::kWarn;
  std::string skipped_operations = "t";
  std::string tracing_operation_name = "debezium-read";
  bool tracing_with_context_field_only = false;

  // Observability.
  HttpAddress http{"127.0.0.1", 9633};
  bool http_asked_for = false;  // given by hand: a taken port is then an error, not a warning
  bool no_http = false;
  LogFormat log_format = LogFormat::kAuto;
  LogLevel log_level = LogLevel::kInfo;
  ProgressMode progress = ProgressMode::kAuto;

  // Options of single commands.
  bool create_table = false;
  bool print_sql = false;
  std::string role;  // empty: no role is granted anything
  bool slot_failover = false;
  bool json = false;
  bool watch = false;
  std::optional<std::uint64_t> warn_lag_bytes;
  std::optional<std::uint64_t> max_lag_bytes;
  bool yes = false;
};

}  // namespace walpost
