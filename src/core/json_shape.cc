#include "json_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

#include "utf8.h"

namespace walpost {
namespace {

using Kind = JsonShape::Kind;

JsonShape scalar(Kind kind) {
  JsonShape shape;
  shape.kind = kind;
  return shape;
}

Kind kind_of_integer(std::string_view text) noexcept {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc()) return Kind::kFloat64;
  const bool is_int32 = value >= std::numeric_limits<std::int32_t>::min() &&
                        value <= std::numeric_limits<std::int32_t>::max();
  return is_int32 ? Kind::kInt32 : Kind::kInt64;
}

// JsonNode.getNodeType of Jackson: what the elements of an array must have in common.
enum class NodeType : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

NodeType node_type(const JsonValue& value) noexcept {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      return NodeType::kNull;
    case JsonValue::Kind::kFalse:
    case JsonValue::Kind::kTrue:
      return NodeType::kBoolean;
    case JsonValue::Kind::kInteger:
    case JsonValue::Kind::kReal:
      return NodeType::kNumber;
    case JsonValue::Kind::kString:
      return NodeType::kString;
    case JsonValue::Kind::kArray:
      return NodeType::kArray;
    case JsonValue::Kind::kObject:
      return NodeType::kObject;
  }
  return NodeType::kNull;
}

bool gives_way(Kind kind) noexcept {
  return kind == Kind::kNothing || kind == Kind::kNull || kind == Kind::kEmptyString;
}

// `into` becomes the type of both. false: there is none.
bool merge(JsonShape& into, JsonShape&& other);

bool merge_structs(JsonShape& into, JsonShape&& other) {
  for (std::size_t i = 0; i < other.members.size(); ++i) {
    if (const auto at = into.names.find(other.names[i], i)) {
      if (!merge(into.members[*at], std::move(other.members[i]))) return false;
    } else {
      into.names.add(other.names[i]);
      into.members.push_back(std::move(other.members[i]));
    }
  }
  return true;
}

bool merge(JsonShape& into, JsonShape&& other) {
  if (gives_way(other.kind) && (other.kind <= into.kind || !gives_way(into.kind))) return true;
  if (gives_way(into.kind)) {
    into = std::move(other);
    return true;
  }
  if (into.kind != other.kind) return false;
  if (into.kind == Kind::kStruct) return merge_structs(into, std::move(other));
  if (into.kind != Kind::kArray) return true;
  into.has_null = into.has_null || other.has_null;
  return merge(*into.element, std::move(*other.element));
}

bool is_name_character(char16_t c, bool first, bool underscore) noexcept {
  if ((c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z')) return true;
  if (c == u'_') return underscore;
  return !first && c >= u'0' && c <= u'9';
}

// The characters as Java counts them.
std::u16string utf16(std::string_view utf8) {
  std::u16string result;
  while (!utf8.empty()) {
    const std::size_t length = utf8_length(utf8);
    const auto byte = [utf8](std::size_t i) { return static_cast<std::uint8_t>(utf8[i]); };
    std::uint32_t code = length == 0 ? 0xFFFDU : byte(0);
    if (length > 1) code &= 0x7FU >> length;
    for (std::size_t i = 1; i < length; ++i) code = code << 6U | (byte(i) & 0x3FU);
    if (code > 0xFFFF) {
      result += static_cast<char16_t>(0xD800U + ((code - 0x1'0000U) >> 10U));
      code = 0xDC00U + ((code - 0x1'0000U) & 0x3FFU);
    }
    result += static_cast<char16_t>(code);
    utf8.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

// avro: _ for what may not stand there, and before a digit that would be the first character.
// avro_unicode: _uXXXX, for the underscore too.
std::string avro_name(std::string_view name, bool unicode) {
  std::string result;
  bool first = true;
  for (const char16_t c : utf16(name)) {
    if (is_name_character(c, first, !unicode)) {
      result += static_cast<char>(c);
    } else if (unicode) {
      const std::string hex = fmt::format("{:x}", static_cast<unsigned>(c));
      result += (hex.size() <= 2 ? "_u00" : "_u") + hex;
    } else {
      result += '_';
      if (first && c >= u'0' && c <= u'9') result += static_cast<char>(c);
    }
    first = false;
  }
  return result;
}

}  // namespace

bool JsonShape::is_like(const JsonShape& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::kArray) {
    return element->is_like(*other.element) &&
           (element->kind != Kind::kStruct || element_is_optional() == other.element_is_optional());
  }
  if (members.size() != other.members.size()) return false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (names[i] != other.names[i] || !members[i].is_like(other.members[i])) return false;
  }
  return true;
}

std::string_view JsonShaper::adjusted(std::string_view name) {
  if (options_.field_name_adjustment == JsonExpansion::FieldNameAdjustment::kNone) return name;
  const bool unicode =
      options_.field_name_adjustment == JsonExpansion::FieldNameAdjustment::kAvroUnicode;
  return adjusted_names_.emplace_back(avro_name(name, unicode));
}

std::optional<JsonShape> JsonShaper::infer(const JsonValue& value, Rule rule) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      return scalar(options_.null_behavior == JsonExpansion::NullBehavior::kOptionalBytes
                        ? Kind::kNull
                        : Kind::kNothing);
    case JsonValue::Kind::kFalse:
    case JsonValue::Kind::kTrue:
      return scalar(Kind::kBoolean);
    case JsonValue::Kind::kInteger:
      return scalar(kind_of_integer(value.text));
    case JsonValue::Kind::kReal:
      return scalar(Kind::kFloat64);
    case JsonValue::Kind::kString:
      return scalar(Kind::kString);
    case JsonValue::Kind::kArray:
      return infer_array(value, rule);
    case JsonValue::Kind::kObject:
      return infer_struct(value, rule);
  }
  return std::nullopt;
}

std::optional<JsonShape> JsonShaper::infer_struct(const JsonValue& object, Rule rule) {
  JsonShape shape = scalar(Kind::kStruct);
  const bool adjusts = options_.field_name_adjustment != JsonExpansion::FieldNameAdjustment::kNone;
  NameIndex adjusted_names;
  for (const JsonMember& member : object.members) {
    const std::string_view name = adjusted(member.name);
    if (adjusts) {
      // Two names have become one: a member would be lost.
      if (adjusted_names.find(name, adjusted_names.size())) return std::nullopt;
      adjusted_names.add(name);
    }
    std::optional<JsonShape> inferred = infer(member.value, rule);
    if (!inferred) return std::nullopt;
    if (inferred->kind == Kind::kNothing) continue;
    if (name.empty()) return std::nullopt;
    shape.names.add(name);
    shape.members.push_back(*std::move(inferred));
  }
  return shape;
}

std::optional<JsonShape> JsonShaper::infer_array(const JsonValue& array, Rule rule) {
  if (array.elements.empty() &&
      options_.empty_array_behavior == JsonExpansion::EmptyArrayBehavior::kIgnore) {
    return scalar(Kind::kNothing);
  }
  JsonShape shape = scalar(Kind::kArray);
  shape.element = std::make_unique<JsonShape>();
  if (array.elements.empty()) {
    shape.element->kind = Kind::kEmptyString;
    return shape;
  }
  const JsonValue* sample = nullptr;  // the first that is not null
  for (const JsonValue& value : array.elements) {
    if (value.kind == JsonValue::Kind::kNull) {
      shape.has_null = true;
      continue;
    }
    const bool is_first = sample == nullptr;
    if (is_first) sample = &value;
    if (node_type(value) != node_type(*sample)) return std::nullopt;
    const bool is_later_array = !is_first && value.kind == JsonValue::Kind::kArray;
    if (!merge_elements(shape, value, is_later_array ? Rule::kMayBeUnknown : rule)) {
      return std::nullopt;
    }
  }
  if (sample == nullptr && options_.null_behavior == JsonExpansion::NullBehavior::kOptionalBytes) {
    shape.element->kind = Kind::kNull;
  }
  const bool is_unknown = shape.element->kind == Kind::kNothing;
  if (is_unknown && rule == Rule::kDebezium) return std::nullopt;
  return shape;
}

bool JsonShaper::merge_elements(JsonShape& array, const JsonValue& value, Rule rule) {
  std::optional<JsonShape> inferred = infer(value, rule);
  if (!inferred) return false;
  if (inferred->kind == Kind::kNothing) return rule == Rule::kMayBeUnknown;
  if (inferred->kind == Kind::kStruct && array.element->kind == Kind::kStruct) {
    array.is_merged = array.is_merged || !array.element->is_like(*inferred);
  }
  return merge(*array.element, *std::move(inferred));
}

}  // namespace walpost
