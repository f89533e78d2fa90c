#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "walpost/connect_value.h"

namespace walpost {

// org.apache.kafka.connect.data.Schema.Type, as far as PostgreSQL's columns need it.
enum class ConnectType {
  kInt16,
  kInt32,
  kInt64,
  kFloat32,
  kFloat64,
  kBoolean,
  kString,
  kBytes,
  kArray,
  kMap,  // keys are strings
  kStruct,
};

// "int16", "float", "string", …: the name that JsonConverter writes.
[[nodiscard]] std::string_view json_name(ConnectType type) noexcept;

struct ConnectSchema;
using SchemaPtr = std::shared_ptr<const ConnectSchema>;

// Kafka Connect's description of a value: what Debezium's connector makes of a column, the router
// of an envelope, the expansion of a JSON document. Immutable once made, and shared.
struct ConnectSchema {
  struct Field {
    std::string name;
    SchemaPtr schema;
  };

  ConnectType type = ConnectType::kString;
  bool optional = false;
  std::string name;  // empty: none
  std::optional<std::int32_t> version;
  std::string doc;                                              // empty: none
  std::vector<std::pair<std::string, std::string>> parameters;  // in the order they are written
  std::optional<ConnectValue> default_value;
  SchemaPtr element;          // of kArray and kMap: the values'
  SchemaPtr key;              // of kMap
  std::vector<Field> fields;  // of kStruct
};

}  // namespace walpost
