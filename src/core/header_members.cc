#include "walpost/header_members.h"

#include "json_document.h"
#include "walpost/check.h"
#include "walpost/column_type.h"
#include "walpost/converter.h"

namespace walpost {
namespace {

void append_compact(std::string& out, const JsonValue& value);

void append_elements(std::string& out, const JsonValue& value) {
  std::string_view separator;
  for (const JsonValue& element : value.elements) {
    out += separator;
    append_compact(out, element);
    separator = ",";
  }
}

void append_members(std::string& out, const JsonValue& value) {
  std::string_view separator;
  for (const JsonMember& member : value.members) {
    out += separator;
    append_json_string(out, member.name);
    out += ':';
    append_compact(out, member.value);
    separator = ",";
  }
}

// As deep as JsonDocument::kMaxDepth.
void append_compact(std::string& out, const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      out += "null";
      return;
    case JsonValue::Kind::kFalse:
      out += "false";
      return;
    case JsonValue::Kind::kTrue:
      out += "true";
      return;
    case JsonValue::Kind::kInteger:
    case JsonValue::Kind::kReal:
      out += value.text;
      return;
    case JsonValue::Kind::kString:
      append_json_string(out, value.text);
      return;
    case JsonValue::Kind::kArray:
      out += '[';
      append_elements(out, value);
      out += ']';
      return;
    case JsonValue::Kind::kObject:
      out += '{';
      append_members(out, value);
      out += '}';
      return;
  }
  CHECK(false);
}

}  // namespace

std::vector<std::pair<std::string, std::optional<std::string>>> header_members(
    std::string_view json) {
  const auto document = JsonDocument::parse(json);
  if (!document || document->root().kind != JsonValue::Kind::kObject) {
    throw ValueRefusal("is not a JSON object");
  }
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;
  for (const JsonMember& member : document->root().members) {
    auto& [name, value] = headers.emplace_back(member.name, std::nullopt);
    if (member.value.kind == JsonValue::Kind::kNull) continue;
    if (member.value.kind == JsonValue::Kind::kString) {
      value = member.value.text;
    } else {
      append_compact(value.emplace(), member.value);
    }
  }
  return headers;
}

}  // namespace walpost
