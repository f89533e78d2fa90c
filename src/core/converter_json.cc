#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <variant>

#include "base64.h"
#include "utf8.h"
#include "walpost/check.h"
#include "walpost/converter.h"
#include "walpost/error.h"
#include "walpost/java_number.h"

namespace walpost {
namespace {

// What a string may hold as it is: printable ASCII but for the quote and the backslash.
constexpr bool is_plain(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void append_control(std::string& out, char c) {
  switch (c) {
    case '\b':
      out += "\\b";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\r':
      out += "\\r";
      return;
    default:  // a character, not an enumeration
      fmt::format_to(std::back_inserter(out), "\\u{:04X}", static_cast<unsigned>(c));
  }
}

// A character of four bytes, in UTF-16.
void append_surrogates(std::string& out, std::string_view utf8) {
  const auto bits = [utf8](std::size_t i, unsigned mask) {
    return static_cast<std::uint8_t>(utf8[i]) & mask;
  };
  const std::uint32_t code_point =
      bits(0, 0x07U) << 18U | bits(1, 0x3FU) << 12U | bits(2, 0x3FU) << 6U | bits(3, 0x3FU);
  const std::uint32_t above = code_point - 0x10000U;
  fmt::format_to(std::back_inserter(out), "\\u{:04X}\\u{:04X}", 0xD800U + (above >> 10U),
                 0xDC00U + (above & 0x3FFU));
}

// The three bytes of a lone surrogate, which JSON can name and UTF-8 cannot hold.
bool starts_with_surrogate(std::string_view text) noexcept {
  const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  return text.size() >= 3 && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF &&
         (byte(2) & 0xC0U) == 0x80U;
}

void append_surrogate(std::string& out, std::string_view text) {
  const unsigned code = 0xD000U | (static_cast<std::uint8_t>(text[1]) & 0x3FU) << 6U |
                        (static_cast<std::uint8_t>(text[2]) & 0x3FU);
  fmt::format_to(std::back_inserter(out), "\\u{:04X}", code);
}

bool is_not_finite_text(std::string_view number) noexcept {
  return number.ends_with("NaN") || number.ends_with("Infinity");
}

// JSON has no name for these.
template <typename Float>
void append_floating(std::string& out, Float value) {
  std::string text;
  append_java_number(text, value);
  const bool quoted = is_not_finite_text(text);
  if (quoted) out += '"';
  out += text;
  if (quoted) out += '"';
}

class JsonAppender final {
 public:
  JsonAppender(std::string& out, JsonFormat format) : out_(out), format_(format) {}

  void append(const ConnectSchema* schema, const ConnectValue& value) {
    if (value.is_null()) {
      append_null(schema);
    } else {
      std::visit([&](const auto& alternative) { put(schema, alternative); }, value.value);
    }
  }

 private:
  void append_null(const ConnectSchema* schema) {
    if (schema != nullptr && schema->default_value && format_.replace_null_with_default) {
      const ConnectValue& stand_in = *schema->default_value;
      CHECK(!stand_in.is_null());
      append(schema, stand_in);
      return;
    }
    if (schema != nullptr && !schema->optional) {
      throw Error(ExitCode::kUndecodable,
                  "a value is null whose schema is neither optional nor has a default",
                  "make the column nullable, or give it a value in every row");
    }
    out_ += "null";
  }

  void put(const ConnectSchema*, ConnectValue::Null) { out_ += "null"; }
  void put(const ConnectSchema*, bool value) { out_ += value ? "true" : "false"; }
  void put(const ConnectSchema*, std::int64_t value) {
    fmt::format_to(std::back_inserter(out_), "{}", value);
  }
  void put(const ConnectSchema*, float value) { append_floating(out_, value); }
  void put(const ConnectSchema*, double value) { append_floating(out_, value); }
  void put(const ConnectSchema*, const std::string& value) { append_json_string(out_, value); }
  void put(const ConnectSchema*, const Bytes& value) {
    out_ += '"';
    out_ += base64(value.data);
    out_ += '"';
  }
  void put(const ConnectSchema* schema, const Decimal& value) {
    const bool is_integer_of_json = schema != nullptr && schema->type == ConnectType::kFloat64;
    if (format_.decimal_as_number || is_integer_of_json) {
      append_java_number(out_, value);
    } else {
      put(schema, Bytes{twos_complement(value)});
    }
  }
  void put(const ConnectSchema* schema, const ConnectArray& value) {
    const ConnectSchema* const element = schema == nullptr ? nullptr : schema->element.get();
    char separator = '[';
    for (const ConnectValue& item : value.elements) {
      out_ += std::exchange(separator, ',');
      append(element, item);
    }
    out_ += value.elements.empty() ? "[]" : "]";
  }
  void put(const ConnectSchema* schema, const ConnectMap& value) {
    const ConnectSchema* const element = schema == nullptr ? nullptr : schema->element.get();
    char separator = '{';
    for (const auto& [key, item] : value.entries) {
      out_ += std::exchange(separator, ',');
      append_json_string(out_, key);
      out_ += ':';
      append(element, item);
    }
    out_ += value.entries.empty() ? "{}" : "}";
  }
  void put(const ConnectSchema* schema, const ConnectStruct& value) {
    CHECK(schema != nullptr && schema->fields.size() == value.members.size());
    char separator = '{';
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      out_ += std::exchange(separator, ',');
      append_json_string(out_, schema->fields[i].name);
      out_ += ':';
      append(schema->fields[i].schema.get(), value.members[i]);
    }
    out_ += value.members.empty() ? "{}" : "}";
  }

  std::string& out_;
  JsonFormat format_;
};

// JsonConverter.asJsonSchema: type, what the type is made of, optional, name, version, doc,
// parameters, default, and for a member of a struct its name.
class SchemaAppender final {
 public:
  SchemaAppender(std::string& out, JsonFormat format) : out_(out), format_(format) {}

  void append(const ConnectSchema& schema, const std::string* field_name = nullptr) {
    out_ += "{\"type\":";
    append_json_string(out_, json_name(schema.type));
    append_parts(schema);
    out_ += schema.optional ? ",\"optional\":true" : ",\"optional\":false";
    if (!schema.name.empty()) append_text("name", schema.name);
    if (schema.version)
      fmt::format_to(std::back_inserter(out_), ",\"version\":{}", *schema.version);
    if (!schema.doc.empty()) append_text("doc", schema.doc);
    if (!schema.parameters.empty()) append_parameters(schema);
    if (schema.default_value) {
      out_ += ",\"default\":";
      append_json(out_, &schema, *schema.default_value, format_);
    }
    if (field_name != nullptr) append_text("field", *field_name);
    out_ += '}';
  }

 private:
  void append_parts(const ConnectSchema& schema) {
    if (schema.type == ConnectType::kArray) {
      out_ += ",\"items\":";
      append(*schema.element);
    } else if (schema.type == ConnectType::kMap) {
      out_ += ",\"keys\":";
      append(*schema.key);
      out_ += ",\"values\":";
      append(*schema.element);
    } else if (schema.type == ConnectType::kStruct) {
      out_ += ",\"fields\":";
      char separator = '[';
      for (const ConnectSchema::Field& field : schema.fields) {
        out_ += std::exchange(separator, ',');
        append(*field.schema, &field.name);
      }
      out_ += schema.fields.empty() ? "[]" : "]";
    }
  }

  void append_parameters(const ConnectSchema& schema) {
    out_ += ",\"parameters\":";
    char separator = '{';
    for (const auto& [name, value] : schema.parameters) {
      out_ += std::exchange(separator, ',');
      append_json_string(out_, name);
      out_ += ':';
      append_json_string(out_, value);
    }
    out_ += '}';
  }

  void append_text(std::string_view name, std::string_view text) {
    out_ += ",\"";
    out_ += name;
    out_ += "\":";
    append_json_string(out_, text);
  }

  std::string& out_;
  JsonFormat format_;
};

void append_envelope_prefix(std::string& out, const ConnectSchema* schema, JsonFormat format) {
  out += "{\"schema\":";
  if (schema == nullptr) {
    out += "null";
  } else {
    SchemaAppender(out, format).append(*schema);
  }
  out += ",\"payload\":";
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;

    std::size_t length = utf8_length(text);
    if (length == 0 && starts_with_surrogate(text)) {
      length = 3;
      append_surrogate(out, text);
    } else if (length == 0) {
      length = 1;
      out += "\xef\xbf\xbd";
    } else if (length == 4) {
      append_surrogates(out, text);
    } else if (length > 1) {
      out += text.substr(0, length);
    } else if (text.front() == '"' || text.front() == '\\') {
      out += '\\';
      out += text.front();
    } else {
      append_control(out, text.front());
    }
    text.remove_prefix(length);
  }
  out += '"';
}

void append_json(std::string& out, const ConnectSchema* schema, const ConnectValue& value,
                 JsonFormat format) {
  JsonAppender(out, format).append(schema, value);
}

SchemaJson::SchemaJson(SchemaPtr schema, JsonFormat format)
    : schema_(std::move(schema)), format_(format) {
  append_envelope_prefix(prefix_, schema_.get(), format_);
}

void SchemaJson::append(std::string& out, const ConnectValue& value) const {
  out += prefix_;
  append_json(out, schema_.get(), value, format_);
  out += '}';
}

void append_json_with_schema(std::string& out, const ConnectSchema* schema,
                             const ConnectValue& value, JsonFormat format) {
  append_envelope_prefix(out, schema, format);
  append_json(out, schema, value, format);
  out += '}';
}

}  // namespace walpost
