#include "option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "option_row_parts.h"
#include "option_values.h"
#include "routing_option_rows.h"
#include "walpost/check.h"

namespace walpost {
namespace {

using std::chrono::milliseconds;

std::string parse_file_name(std::string_view text) {
  if (text.empty()) throw BadValue("a file name cannot be empty");
  return std::string(text);
}

// An optional size: `word` stands for none.
template <const std::string_view& word>
std::optional<std::uint64_t> parse_size_or(std::string_view text) {
  if (text == word) return std::nullopt;
  return parse_size(text);
}

constexpr std::string_view kOff = "off";
constexpr std::string_view kServers = "server";

template <std::int64_t least_ms, std::int64_t greatest_ms>
milliseconds parse_duration_within(std::string_view text) {
  const milliseconds duration = parse_duration(text);
  if (duration < milliseconds(least_ms) || duration > milliseconds(greatest_ms)) {
    throw BadValue(fmt::format("must be from {}ms to {}s", least_ms, greatest_ms / 1000));
  }
  return duration;
}

milliseconds parse_reconnect_timeout(std::string_view text) {
  return text == "0" ? milliseconds(0) : parse_duration(text);
}

template <std::int64_t greatest>
std::int32_t parse_positive_or_broker(std::string_view text) {
  return text == "broker" ? -1 : static_cast<std::int32_t>(parse_number(text, 1, greatest));
}

std::uint64_t parse_in_flight_records(std::string_view text) {
  return static_cast<std::uint64_t>(parse_number(text, 1, 10'000'000));
}

std::uint64_t parse_in_flight_bytes(std::string_view text) {
  const std::uint64_t bytes = parse_size(text);
  if (bytes < (std::uint64_t{1} << 10)) throw BadValue("must be at least 1KiB");
  return bytes;
}

// logical_decoding_work_mem's own limits: it is a 32-bit number of kB.
std::optional<std::uint64_t> parse_work_mem(std::string_view text) {
  const std::optional<std::uint64_t> bytes = parse_size_or<kServers>(text);
  constexpr std::uint64_t kGreatest = std::uint64_t{std::numeric_limits<std::int32_t>::max()} << 10;
  if (bytes && (*bytes < (64U << 10) || *bytes > kGreatest)) {
    throw BadValue("PostgreSQL takes 64KiB to 2147483647KiB");
  }
  return bytes;
}

std::optional<EndPosition> parse_end_or_none(std::string_view text) {
  if (text == "none") return std::nullopt;
  return parse_end_position(text);
}

SinkKind parse_sink(std::string_view text) {
  return parse_choice<SinkKind, 3>(
      text,
      {{{"kafka", SinkKind::kKafka}, {"stdout", SinkKind::kStdout}, {"null", SinkKind::kNull}}});
}

OnUndeliverable parse_on_undeliverable(std::string_view text) {
  if (text == "dead-letter" || text == "park-key" || text == "skip") {
    throw BadValue("this version knows only stop");
  }
  return parse_choice<OnUndeliverable, 1>(text, {{{"stop", OnUndeliverable::kStop}}});
}

TopicCreation parse_topic_creation(std::string_view text) {
  return parse_choice<TopicCreation, 3>(text, {{{"broker", TopicCreation::kBroker},
                                                {"create", TopicCreation::kCreate},
                                                {"never", TopicCreation::kNever}}});
}

LogFormat parse_log_format(std::string_view text) {
  return parse_choice<LogFormat, 3>(
      text, {{{"auto", LogFormat::kAuto}, {"text", LogFormat::kText}, {"json", LogFormat::kJson}}});
}

LogLevel parse_log_level(std::string_view text) {
  return parse_choice<LogLevel, 4>(text, {{{"debug", LogLevel::kDebug},
                                           {"info", LogLevel::kInfo},
                                           {"warn", LogLevel::kWarn},
                                           {"error", LogLevel::kError}}});
}

ProgressMode parse_progress(std::string_view text) {
  return parse_choice<ProgressMode, 3>(text, {{{"auto", ProgressMode::kAuto},
                                               {"always", ProgressMode::kAlways},
                                               {"never", ProgressMode::kNever}}});
}

void set_http(Options& options, Texts texts) {
  options.http = parse_http_address(texts.front());
  options.http_asked_for = true;
}

void set_tables(Options& options, Texts texts) {
  if (texts.empty()) throw BadValue("at least one table must be named");
  set_list<&Options::tables, parse_table_name>(options, texts);
}

// ---- The table ---------------------------------------------------------------------------------

constexpr std::array kConnectionRows{
    OptionRow{"config", 0, kValue, "FILE", "", "",
              "Read options from a TOML or INI file; flags and the environment beat it.",
              OptionGroup::kConnection, kAll, nullptr,
              set_one<&Options::config_file, parse_file_name>},
    OptionRow{
        "debezium-config", 0, kValue, "FILE", "", "",
        "Take over the configuration of a Debezium connector, JSON or properties: what walpost "
        "understands is applied, all else is named; flags, the environment and --config beat "
        "it.",
        OptionGroup::kConnection, kAll, nullptr,
        set_one<&Options::debezium_config_file, parse_file_name>},
    OptionRow{"dbname", 'd', kValue, "CONNINFO", "", "",
              "Connect to this database: a libpq connection string or URI, several hosts allowed; "
              "without it libpq's own rules apply (PG* variables, service file, .pgpass).",
              OptionGroup::kConnection, kAll, mask_conninfo,
              set_one<&Options::conninfo, parse_text>},
    OptionRow{"slot", 'S', kValue, "NAME", "walpost",
              "1 to 63 lower-case letters, digits and underscores",
              "Stream from this logical replication slot.", OptionGroup::kConnection, kAll, nullptr,
              set_one<&Options::slot, parse_slot_name>},
    OptionRow{"publication", 0, kValue, "NAME", "walpost", "1 to 63 bytes",
              "Stream what this publication publishes.", OptionGroup::kConnection, kAll, nullptr,
              set_one<&Options::publication, parse_identifier>},
    OptionRow{"table", 0, kList, "[SCHEMA.]NAME", "public.outbox", "",
              "An outbox table, named to the letter: no wildcard, no case folding; double quotes "
              "around a part that holds a dot.",
              OptionGroup::kConnection, kAll, nullptr, set_tables},
    OptionRow{"auto-setup", 0, kSwitch, "", "false", "",
              "Create publication and slot before streaming if they are missing.",
              OptionGroup::kConnection, kAll, nullptr, set_one<&Options::auto_setup, parse_switch>},
    OptionRow{"endpos", 0, kValue, "LSN|now", "none", "a log position, now, or none",
              "Deliver everything committed up to this log position, confirm it and exit; now is "
              "what the server has flushed at the start.",
              OptionGroup::kConnection, kAll, nullptr,
              set_one<&Options::end_position, parse_end_or_none>},
    OptionRow{"status-interval", 0, kValue, "DURATION", "1s", "10ms to 3600s",
              "Report the position to PostgreSQL at least this often; a new position is reported "
              "within 100 ms in any case.",
              OptionGroup::kConnection, kAll, nullptr,
              set_one<&Options::status_interval, parse_duration_within<10, 3'600'000>>},
    OptionRow{"reconnect-timeout", 0, kValue, "DURATION", "0", "a duration, or 0 for ever",
              "Give up with exit code 3 after being without PostgreSQL this long.",
              OptionGroup::kConnection, kAll, nullptr,
              set_one<&Options::reconnect_timeout, parse_reconnect_timeout>},
    OptionRow{"logical-decoding-work-mem", 0, kValue, "SIZE", "server",
              "64KiB to 2147483647KiB, or server for the server's own setting",
              "Memory in which PostgreSQL holds a transaction before it spills it to its disk, set "
              "for the replication connection.",
              OptionGroup::kConnection, kAll, nullptr,
              set_one<&Options::logical_decoding_work_mem_bytes, parse_work_mem>},
    OptionRow{"max-slot-lag", 0, kValue, "SIZE", "off", "a size, or off",
              "Warn and fail /readyz while the slot is further behind than this; never stops the "
              "stream, since stopping frees no WAL.",
              OptionGroup::kConnection, kAll, nullptr,
              set_one<&Options::max_slot_lag_bytes, parse_size_or<kOff>>},
    OptionRow{"drain-timeout", 0, kValue, "DURATION", "25s", "0ms to 86400s",
              "On SIGTERM or SIGINT wait this long for acknowledgements, then exit with code 7.",
              OptionGroup::kConnection, kAll, nullptr,
              set_one<&Options::drain_timeout, parse_duration_within<0, 86'400'000>>},
};

constexpr std::array kSinkRows{
    OptionRow{"sink", 0, kValue, "kafka|stdout|null", "kafka", "",
              "Where records go: to Kafka, to standard output as one JSON object per line, or "
              "nowhere.",
              OptionGroup::kSinks, kStreaming, nullptr, set_one<&Options::sink, parse_sink>},
    OptionRow{"brokers", 'b', kValue, "HOST:PORT,...", "", "", "Kafka brokers to start from.",
              OptionGroup::kSinks, kStreaming, nullptr, set_one<&Options::brokers, parse_brokers>},
    OptionRow{"kafka-property", 'X', kList, "KEY=VALUE", "", "",
              "A librdkafka property, such as security.protocol=SSL; those that the delivery "
              "guarantee rests on are refused with the reason.",
              OptionGroup::kSinks, kStreaming, mask_property,
              set_list<&Options::kafka_properties, parse_property>},
    OptionRow{
        "kafka-config", 0, kValue, "FILE", "", "",
        "Read librdkafka properties from a file of KEY=VALUE lines; --kafka-property beats it.",
        OptionGroup::kSinks, kStreaming, nullptr,
        set_one<&Options::kafka_config_file, parse_file_name>},
    OptionRow{"max-in-flight-records", 0, kValue, "N", "20000", "1 to 10000000",
              "Stop reading from PostgreSQL while this many records are not acknowledged.",
              OptionGroup::kSinks, kStreaming, nullptr,
              set_one<&Options::max_in_flight_records, parse_in_flight_records>},
    OptionRow{"max-in-flight-bytes", 0, kValue, "SIZE", "16MiB", "1KiB or more",
              "Stop reading from PostgreSQL while records of this size are not acknowledged.",
              OptionGroup::kSinks, kStreaming, nullptr,
              set_one<&Options::max_in_flight_bytes, parse_in_flight_bytes>},
    OptionRow{"on-undeliverable", 0, kValue, "stop", "stop", "",
              "What happens to a record that can never be delivered: stop with exit code 6.",
              OptionGroup::kSinks, kStreaming, nullptr,
              set_one<&Options::on_undeliverable, parse_on_undeliverable>},
    OptionRow{"topic-creation", 0, kValue, "broker|create|never", "broker", "",
              "A topic that does not exist is left to the broker's auto.create.topics.enable, "
              "created by walpost, or not asked for.",
              OptionGroup::kSinks, kStreaming, nullptr,
              set_one<&Options::topic_creation, parse_topic_creation>},
    OptionRow{"topic-partitions", 0, kValue, "N", "broker", "1 to 100000, or broker",
              "Partitions of a topic that walpost creates.", OptionGroup::kSinks, kStreaming,
              nullptr, set_one<&Options::topic_partitions, parse_positive_or_broker<100'000>>},
    OptionRow{"topic-replication-factor", 0, kValue, "N", "broker", "1 to 32767, or broker",
              "Replicas of a topic that walpost creates.", OptionGroup::kSinks, kStreaming, nullptr,
              set_one<&Options::topic_replication_factor, parse_positive_or_broker<32'767>>},
    OptionRow{"topic-config", 0, kList, "KEY=VALUE", "", "",
              "A setting of a topic that walpost creates, such as cleanup.policy=compact.",
              OptionGroup::kSinks, kStreaming, nullptr,
              set_list<&Options::topic_config, parse_property>},
    OptionRow{"topic-timeout", 0, kValue, "DURATION", "60s", "1000ms to 86400s",
              "Hold the line this long for a topic that is missing or not authorised; then its "
              "record counts as undeliverable.",
              OptionGroup::kSinks, kStreaming, nullptr,
              set_one<&Options::topic_timeout, parse_duration_within<1'000, 86'400'000>>},
};

constexpr std::array kObservabilityRows{
    OptionRow{"http", 0, kValue, "HOST:PORT", "127.0.0.1:9633", "port 0 for any free one",
              "Serve /metrics, /healthz, /readyz and /status here; the default address, if taken, "
              "is done without, one given by hand is then an error. status asks a running walpost "
              "here.",
              OptionGroup::kObservability, kServing, nullptr, set_http},
    OptionRow{"no-http", 0, kSwitch, "", "false", "", "Serve nothing over HTTP.",
              OptionGroup::kObservability, kServing, nullptr,
              set_one<&Options::no_http, parse_switch>},
    OptionRow{"log-format", 0, kValue, "text|json|auto", "auto", "",
              "Write log lines to standard error as text or as JSON objects; auto is text on a "
              "terminal, else JSON.",
              OptionGroup::kObservability, kAll, nullptr,
              set_one<&Options::log_format, parse_log_format>},
    OptionRow{"log-level", 0, kValue, "debug|info|warn|error", "info", "",
              "Write log lines of this level and above.", OptionGroup::kObservability, kAll,
              nullptr, set_one<&Options::log_level, parse_log_level>},
    OptionRow{"progress", 0, kValue, "auto|always|never", "auto", "",
              "Show one live line of events, rate, lag, in flight and p99; auto is on a terminal.",
              OptionGroup::kObservability, kStreaming, nullptr,
              set_one<&Options::progress, parse_progress>},
};

constexpr CommandSet kSetup = set_of(Command::kSetup);
constexpr CommandSet kStatus = set_of(Command::kStatus);

constexpr std::array kCommandRows{
    OptionRow{"create-table", 0, kSwitch, "", "false", "", "Create the outbox table too.",
              OptionGroup::kCommand, kSetup, nullptr,
              set_one<&Options::create_table, parse_switch>},
    OptionRow{"print-sql", 0, kSwitch, "", "false", "", "Print the SQL and change nothing.",
              OptionGroup::kCommand, kSetup, nullptr, set_one<&Options::print_sql, parse_switch>},
    OptionRow{"role", 0, kValue, "NAME", "", "",
              "Create a role that has only what walpost needs, or grant an existing one that.",
              OptionGroup::kCommand, kSetup, nullptr, set_one<&Options::role, parse_identifier>},
    OptionRow{"slot-failover", 0, kSwitch, "", "false", "",
              "Create the slot so that standbys follow it (PostgreSQL 17 and later).",
              OptionGroup::kCommand, kSetup, nullptr,
              set_one<&Options::slot_failover, parse_switch>},
    OptionRow{"json", 0, kSwitch, "", "false", "", "Print JSON instead of text.",
              OptionGroup::kCommand, set_of(Command::kCheck, Command::kStatus), nullptr,
              set_one<&Options::json, parse_switch>},
    OptionRow{"watch", 0, kSwitch, "", "false", "", "Print again every second until interrupted.",
              OptionGroup::kCommand, kStatus, nullptr, set_one<&Options::watch, parse_switch>},
    OptionRow{"warn-lag", 0, kValue, "SIZE", "off", "a size, or off",
              "Exit with 1 when the slot's lag is larger.", OptionGroup::kCommand, kStatus, nullptr,
              set_one<&Options::warn_lag_bytes, parse_size_or<kOff>>},
    OptionRow{"max-lag", 0, kValue, "SIZE", "off", "a size, or off",
              "Exit with 2 when the slot's lag is larger.", OptionGroup::kCommand, kStatus, nullptr,
              set_one<&Options::max_lag_bytes, parse_size_or<kOff>>},
    OptionRow{"yes", 0, kSwitch, "", "false", "", "Do it without asking.", OptionGroup::kCommand,
              set_of(Command::kTeardown), nullptr, set_one<&Options::yes, parse_switch>},
};

template <std::size_t... sizes>
constexpr auto joined(const std::array<OptionRow, sizes>&... parts) {
  std::array<OptionRow, (sizes + ...)> table{};
  std::size_t next = 0;
  const auto append = [&](const auto& part) {
    for (const OptionRow& row : part) table[next++] = row;
  };
  (append(parts), ...);
  return table;
}

constexpr auto kTable =
    joined(kConnectionRows, kSinkRows, kRoutingRows, kObservabilityRows, kCommandRows);

}  // namespace

std::span<const OptionRow> option_table() noexcept { return kTable; }

const OptionRow* find_option(std::string_view name) noexcept {
  const auto* row = std::ranges::find(kTable, name, &OptionRow::name);
  return row == kTable.end() ? nullptr : row;
}

std::string_view group_title(OptionGroup group) noexcept {
  switch (group) {
    case OptionGroup::kConnection:
      return "Connection and stream";
    case OptionGroup::kSinks:
      return "Sinks";
    case OptionGroup::kRouting:
      return "Routing";
    case OptionGroup::kObservability:
      return "Observability";
    case OptionGroup::kCommand:
      return "Options of single commands";
  }
  CHECK(false);
}

std::string environment_name(const OptionRow& row) {
  std::string name = "WALPOST_";
  for (const char c : row.name) {
    name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return name;
}

std::string option_usage(const OptionRow& row) {
  const std::string flag = row.flag == 0 ? "" : fmt::format("-{}, ", row.flag);
  const std::string value = row.metavar.empty() ? "" : fmt::format(" {}", row.metavar);
  return fmt::format("{}--{}{}", flag, row.name, value);
}

}  // namespace walpost
