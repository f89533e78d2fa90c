#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json_document.h"
#include "name_index.h"
#include "walpost/json_expansion.h"

namespace walpost {

// The type of a JSON value, before it becomes a ConnectSchema: types of an array's elements are
// merged in here.
struct JsonShape {
  enum class Kind : std::uint8_t {
    kNothing,      // no type: null or [], where they are ignored
    kNull,         // a null that counts as bytes; gives way to any other type
    kEmptyString,  // the element of an empty array that counts as strings; gives way as well
    kBoolean,
    kString,
    kInt32,
    kInt64,
    kFloat64,
    kArray,
    kStruct,
  };

  Kind kind = Kind::kNothing;
  // Of kArray. Debezium's struct of merged elements is not optional; it stays optional if all the
  // elements were alike, and here also if one of them is null.
  std::unique_ptr<JsonShape> element;
  bool is_merged = false;
  bool has_null = false;
  // Of kStruct: the members, adjusted names.
  NameIndex names;
  std::vector<JsonShape> members;

  [[nodiscard]] bool element_is_optional() const noexcept { return !is_merged || has_null; }
  // Is there a struct in it that is named by the path so far?
  [[nodiscard]] bool shows_path() const noexcept {
    return kind == Kind::kStruct || (kind == Kind::kArray && element->kind == Kind::kStruct);
  }
  // Would Debezium infer the same schema?
  [[nodiscard]] bool is_like(const JsonShape& other) const;
};

// Infers shapes, and adjusts names on the way. The shapes hold views into the document and into
// this object.
class JsonShaper final {
 public:
  explicit JsonShaper(const JsonExpansion& options) : options_(options) {}

  // nullopt: no single type fits. A top-level [] that is ignored has kNothing.
  [[nodiscard]] std::optional<JsonShape> infer(const JsonValue& value) {
    return infer(value, Rule::kDebezium);
  }

  // The member's name in the schema.
  [[nodiscard]] std::string_view adjusted(std::string_view name);

 private:
  // Debezium takes the type of an array of arrays from the first of them alone, and gives up if
  // that one has none. The others may then be empty or hold nothing but nulls.
  enum class Rule : std::uint8_t { kDebezium, kMayBeUnknown };

  [[nodiscard]] std::optional<JsonShape> infer(const JsonValue& value, Rule rule);
  [[nodiscard]] std::optional<JsonShape> infer_struct(const JsonValue& object, Rule rule);
  [[nodiscard]] std::optional<JsonShape> infer_array(const JsonValue& array, Rule rule);
  [[nodiscard]] bool merge_elements(JsonShape& array, const JsonValue& value, Rule rule);

  const JsonExpansion& options_;
  std::deque<std::string> adjusted_names_;
};

}  // namespace walpost
