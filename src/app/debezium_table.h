#pragma once

#include <span>
#include <string_view>

namespace walpost {

// Where in a connector's configuration a name belongs.
enum class DebeziumScope {
  kConnector,  // slot.name: Debezium's connector and Kafka Connect itself
  kRouter,     // transforms.<alias>.route.by.field
  kConverter,  // key.converter.schemas.enable, and the same for value and header
  kProducer,   // producer.override.compression.type
};

// What walpost does with an entry.
enum class DebeziumUse {
  // It becomes `option`:
  kText,      // as it stands
  kWord,      // blanks around it do not count
  kColumn,    // as it stands; the empty text is refused, for no column has that name
  kSwitch,    // true or false in any case
  kProperty,  // librdkafka's property `argument`, with the same value
  kTogether,  // read together with others: connection, tables, converters, transformations, topics
  // It becomes nothing:
  kNoEffect,         // no record is different for it
  kOnly,             // the same for the values `argument` (a|b); any other is refused
  kOnlyWithSchemas,  // the same, where schemas are written at all (json-schema)
  kOnlyElseWarned,   // as kOnly, but another value is only warned of
  kRefused,          // records would be different
  kWarned,           // may matter; `reason` says for what
};

// One name of a connector's configuration. The table of them is the only place that knows what
// walpost makes of Debezium's names: it feeds --debezium-config, `check` and the reference page.
struct DebeziumRow {
  DebeziumScope scope;
  std::string_view name;  // without its scope's prefix; a star at its end stands for any rest
  DebeziumUse use;
  std::string_view option;    // of walpost, without dashes in front; "" for none
  std::string_view argument;  // see DebeziumUse
  std::string_view reason;    // a clause without full stop; "" where there is nothing to say
};

// What Debezium takes where the configuration is silent, and walpost would not.
struct DebeziumDefault {
  std::string_view name;
  std::string_view value;
};

[[nodiscard]] std::span<const DebeziumRow> debezium_table() noexcept;
[[nodiscard]] std::span<const DebeziumDefault> debezium_defaults() noexcept;
// The row for a name without its scope's prefix: the longest that fits. Null: unknown.
[[nodiscard]] const DebeziumRow* find_debezium_row(DebeziumScope scope,
                                                   std::string_view name) noexcept;

}  // namespace walpost
