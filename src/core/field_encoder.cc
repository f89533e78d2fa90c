#include "walpost/field_encoder.h"

#include <utility>

#include "walpost/check.h"

namespace walpost {
namespace {

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

bool decode_bytea(std::string_view text, std::string& bytes) {
  if (!text.starts_with("\\x") || text.size() % 2 != 0) return false;
  bytes.resize(text.size() / 2 - 1);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(text[2 + 2 * i]);
    const int low = hex_digit(text[3 + 2 * i]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<char>(high * 16 + low);
  }
  return true;
}

FieldEncoder::FieldEncoder(ColumnType type, FieldFormat format)
    : type_(std::move(type)), format_(format) {
  const auto& default_value = type_.schema()->default_value;
  if (default_value && type_.is_plain_text()) {
    default_text_ = std::get<std::string>(default_value->value);
  }
  if (format_ == FieldFormat::kJsonSchema) schema_json_.emplace(type_.schema());
}

ConnectValue FieldEncoder::value_of(Text text) const {
  if (text) return type_.parse(*text);
  return type_.schema()->default_value.value_or(ConnectValue{});
}

FieldEncoder::Text FieldEncoder::text_of(Text text) const {
  if (!text && default_text_) return *default_text_;
  return text;
}

FieldEncoder::Text FieldEncoder::encode(Text text, std::string& buffer) const {
  if (format_ == FieldFormat::kJson) {
    buffer.clear();
    append_json(text, buffer);
    return buffer;
  }
  if (schema_json_) {
    buffer.clear();
    schema_json_->append(buffer, value_of(text));
    return buffer;
  }
  if (type_.is_plain_text()) return text_of(text);
  if (text && format_ == FieldFormat::kRaw && type_.is_plain_bytes()) {
    if (!decode_bytea(*text, buffer)) throw ValueRefusal("is not bytea in hex form");
    return buffer;
  }
  auto bytes = walpost::encode(*type_.schema(), value_of(text), format_);
  if (!bytes) return std::nullopt;
  buffer = std::move(*bytes);
  return buffer;
}

void FieldEncoder::append_json(Text text, std::string& out) const {
  if (type_.is_plain_text()) {
    if (const auto known = text_of(text)) {
      append_json_string(out, *known);
    } else {
      out += "null";
    }
    return;
  }
  walpost::append_json(out, type_.schema().get(), value_of(text));
}

std::optional<std::string> encode(const ConnectSchema& schema, const ConnectValue& value,
                                  FieldFormat format) {
  std::string bytes;
  switch (format) {
    case FieldFormat::kRaw:
      return raw_text(&schema, value);
    case FieldFormat::kSimple:
      return simple_header_text(&schema, value);
    case FieldFormat::kJson:
      append_json(bytes, &schema, value);
      return bytes;
    case FieldFormat::kJsonSchema:
      append_json_with_schema(bytes, &schema, value);
      return bytes;
  }
  CHECK(false);
}

}  // namespace walpost
