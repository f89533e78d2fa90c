#include "walpost/json_expansion.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>

#include "json_document.h"
#include "json_shape.h"
#include "walpost/check.h"

namespace walpost {
namespace {

using Kind = JsonShape::Kind;

// Nulls that objects of an array are given because their siblings have the member. At ten bytes of
// JSON each this is ten times what a Kafka broker takes by default, while an array of objects with
// a different member each would grow by the square of its length.
constexpr std::size_t kMaxAddedNulls = 1'000'000;

// All the schema names of a document. They grow by the square of its depth.
constexpr std::size_t kMaxNameBytes = 16'000'000;

SchemaPtr optional_schema(ConnectType type) {
  auto schema = std::make_shared<ConnectSchema>();
  schema->type = type;
  schema->optional = true;
  return schema;
}

// One object each for all documents.
struct Scalars {
  SchemaPtr bytes = optional_schema(ConnectType::kBytes);
  SchemaPtr boolean = optional_schema(ConnectType::kBoolean);
  SchemaPtr string = optional_schema(ConnectType::kString);
  SchemaPtr int32 = optional_schema(ConnectType::kInt32);
  SchemaPtr int64 = optional_schema(ConnectType::kInt64);
  SchemaPtr float64 = optional_schema(ConnectType::kFloat64);
};

const Scalars& scalars() {
  static const Scalars kScalars;
  return kScalars;
}

// 10^`result` is about the number; the sign of it decides between zero and infinity.
std::int64_t magnitude_of(std::string_view number) noexcept {
  const std::size_t e = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, e);
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return std::numeric_limits<std::int64_t>::min();
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view text = number.substr(e + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
    constexpr std::int64_t kHuge = 1'000'000'000;
    if (read.ec != std::errc()) exponent = text.starts_with('-') ? -kHuge : kHuge;
    exponent = std::clamp(exponent, -kHuge, kHuge);
  }
  return exponent + point - static_cast<std::int64_t>(first);
}

// Double.parseDouble: beyond the range it is zero or infinity.
double to_double(std::string_view number) noexcept {
  double value = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  if (read.ec == std::errc()) return value;
  value = magnitude_of(number) > 0 ? std::numeric_limits<double>::infinity() : 0;
  return number.starts_with('-') ? -value : value;
}

class Expander final {
 public:
  Expander(JsonShaper& shaper, const JsonExpansion& options)
      : shaper_(shaper), with_names_(options.with_schema_names) {}

  // nullptr: beyond the limits, or a type stayed unknown.
  [[nodiscard]] SchemaPtr schema(const JsonShape& shape, const std::string& path,
                                 bool is_optional) {
    switch (shape.kind) {
      case Kind::kNothing:
        return nullptr;
      case Kind::kNull:
        return scalars().bytes;
      case Kind::kBoolean:
        return scalars().boolean;
      case Kind::kString:
      case Kind::kEmptyString:
        return scalars().string;
      case Kind::kInt32:
        return scalars().int32;
      case Kind::kInt64:
        return scalars().int64;
      case Kind::kFloat64:
        return scalars().float64;
      case Kind::kArray:
        return array_schema(shape, path);
      case Kind::kStruct:
        return struct_schema(shape, path, is_optional);
    }
    return nullptr;
  }

  // nullopt: beyond the limits.
  [[nodiscard]] std::optional<ConnectValue> value(const JsonValue& json, const JsonShape& shape) {
    switch (json.kind) {
      case JsonValue::Kind::kNull:
        return ConnectValue{};
      case JsonValue::Kind::kFalse:
      case JsonValue::Kind::kTrue:
        return ConnectValue{json.kind == JsonValue::Kind::kTrue};
      case JsonValue::Kind::kInteger:
      case JsonValue::Kind::kReal:
        return number_value(json, shape);
      case JsonValue::Kind::kString:
        return ConnectValue{std::string(json.text)};
      case JsonValue::Kind::kArray:
        return array_value(json, shape);
      case JsonValue::Kind::kObject:
        return struct_value(json, shape);
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has_huge_integer() const noexcept { return has_huge_integer_; }

 private:
  // Objects in an array are named as the array is; below an array of arrays names begin anew.
  SchemaPtr array_schema(const JsonShape& shape, const std::string& path) {
    const bool of_structs = shape.element->kind == Kind::kStruct;
    auto array = std::make_shared<ConnectSchema>();
    array->type = ConnectType::kArray;
    array->optional = true;
    array->element = schema(*shape.element, of_structs ? path : "", shape.element_is_optional());
    return array->element == nullptr ? nullptr : array;
  }

  SchemaPtr struct_schema(const JsonShape& shape, const std::string& path, bool is_optional) {
    auto object = std::make_shared<ConnectSchema>();
    object->type = ConnectType::kStruct;
    object->optional = is_optional;
    if (with_names_) object->name = path;
    name_bytes_ += object->name.size();
    if (name_bytes_ > kMaxNameBytes) return nullptr;
    const bool is_blank = path.find_first_not_of(' ') == std::string::npos;
    object->fields.reserve(shape.members.size());
    for (std::size_t i = 0; i < shape.members.size(); ++i) {
      std::string name(shape.names[i]);
      std::string member_path;
      if (with_names_ && shape.members[i].shows_path()) {
        if (!is_blank) member_path.append(path).append(".");
        member_path += name;
      }
      SchemaPtr member = schema(shape.members[i], member_path, true);
      if (member == nullptr) return nullptr;
      object->fields.push_back({std::move(name), std::move(member)});
    }
    return object;
  }

  ConnectValue number_value(const JsonValue& number, const JsonShape& shape) {
    if (number.kind == JsonValue::Kind::kReal) return {to_double(number.text)};
    if (shape.kind == Kind::kFloat64) {
      has_huge_integer_ = true;
      return {Decimal{.unscaled = std::string(number.text), .scale = 0}};
    }
    std::int64_t value = 0;
    std::from_chars(number.text.data(), number.text.data() + number.text.size(), value);
    return {value};
  }

  std::optional<ConnectValue> array_value(const JsonValue& json, const JsonShape& shape) {
    // An empty array that was ignored, where its siblings have something else.
    if (shape.kind != Kind::kArray) return std::nullopt;
    ConnectArray array;
    array.elements.reserve(json.elements.size());
    for (const JsonValue& element : json.elements) {
      std::optional<ConnectValue> converted = value(element, *shape.element);
      if (!converted) return std::nullopt;
      array.elements.push_back(*std::move(converted));
    }
    return ConnectValue{std::move(array)};
  }

  std::optional<ConnectValue> struct_value(const JsonValue& json, const JsonShape& shape) {
    CHECK(shape.kind == Kind::kStruct);
    added_nulls_ += shape.members.size() - std::min(shape.members.size(), json.members.size());
    if (added_nulls_ > kMaxAddedNulls) return std::nullopt;
    ConnectStruct object;
    object.members.resize(shape.members.size());
    std::size_t guess = 0;
    for (const JsonMember& member : json.members) {
      const auto at = shape.names.find(shaper_.adjusted(member.name), guess);
      if (!at) continue;  // a null or an empty array, ignored
      std::optional<ConnectValue> converted = value(member.value, shape.members[*at]);
      if (!converted) return std::nullopt;
      object.members[*at] = *std::move(converted);
      guess = *at + 1;
    }
    return ConnectValue{std::move(object)};
  }

  JsonShaper& shaper_;
  const bool with_names_;
  std::size_t added_nulls_ = 0;
  std::size_t name_bytes_ = 0;
  bool has_huge_integer_ = false;
};

}  // namespace

std::optional<ExpandedJson> expand_json(std::string_view text, const JsonExpansion& options) {
  if (!text.starts_with('{') && !text.starts_with('[')) return std::nullopt;
  const std::optional<JsonDocument> document = JsonDocument::parse(text);
  if (!document) return std::nullopt;
  JsonShaper shaper(options);
  const std::optional<JsonShape> shape = shaper.infer(document->root());
  if (!shape) return std::nullopt;
  Expander expander(shaper, options);
  SchemaPtr schema = expander.schema(*shape, options.payload_field, true);
  if (schema == nullptr) return std::nullopt;
  std::optional<ConnectValue> value = expander.value(document->root(), *shape);
  if (!value) return std::nullopt;
  return ExpandedJson{.schema = std::move(schema),
                      .value = *std::move(value),
                      .is_text_in_debezium = text.starts_with('[') || expander.has_huge_integer()};
}

}  // namespace walpost
