#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "walpost/connect_schema.h"
#include "walpost/connect_value.h"

namespace walpost {

// table.expand.json.payload of Debezium's outbox event router.
struct JsonExpansion {
  // table.json.payload.null.behavior
  enum class NullBehavior : std::uint8_t { kIgnore, kOptionalBytes };
  // table.json.payload.empty.array.behavior
  enum class EmptyArrayBehavior : std::uint8_t { kIgnore, kOptionalString };
  // field.name.adjustment.mode
  enum class FieldNameAdjustment : std::uint8_t { kNone, kAvro, kAvroUnicode };

  NullBehavior null_behavior = NullBehavior::kIgnore;
  EmptyArrayBehavior empty_array_behavior = EmptyArrayBehavior::kIgnore;
  FieldNameAdjustment field_name_adjustment = FieldNameAdjustment::kNone;
  std::string payload_field = "payload";  // names the outermost struct
  // Schema names are paths ("payload.a.b"). A format that writes no schema does not need them, and
  // in a deep document they are longer than the document.
  bool with_schema_names = true;
};

struct ExpandedJson {
  SchemaPtr schema;
  ConnectValue value;
  // Debezium fails halfway through this one (a top-level array, an integer beyond 64 bits): with
  // JsonConverter it stops, with StringConverter it sends the text as it is. So should `raw`.
  bool is_text_in_debezium = false;
};

// A JSON object or array with the schema that its content implies; nullopt: the payload stays the
// text that it is. Only text that begins with { or [ is looked at, and never more than the first
// value in it.
//
//   text            optional string
//   true, false     optional boolean
//   integer         optional int32, int64; beyond 64 bits optional float64 whose value is a Decimal
//                   of scale 0, so that every digit is kept
//   other number    optional float64
//   object          optional struct, named by its path
//   array           optional array; its objects become one struct with the members of all of them,
//                   in the order of their first appearance
//   null, []        no member, unless the behaviours above give them a type
//
// The text stays as it is where it is no JSON, where it has no such schema (elements of several
// types, an array that only holds nulls, an empty member name) or where expanding would exceed the
// limits of json_expansion.cc. docs/DEBEZIUM.md lists where Debezium stops or loses members
// instead.
//
// A pure function. The stack it takes is bounded: nesting ends at 1000.
[[nodiscard]] std::optional<ExpandedJson> expand_json(std::string_view text,
                                                      const JsonExpansion& options);

}  // namespace walpost
