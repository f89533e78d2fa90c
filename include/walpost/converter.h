#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "walpost/connect_schema.h"
#include "walpost/connect_value.h"

namespace walpost {

// Kafka Connect's converters: from a value and its schema to the bytes on Kafka, byte for byte as
// JsonConverter, StringConverter and SimpleHeaderConverter of Kafka 4.3 give them, but for the
// differences that docs/DEBEZIUM.md lists.
//
// All of them take a schema with a value that fits it (connect_value.h), or nullptr for a value
// without schema. Text is taken as UTF-8; in JSON, what is no UTF-8 becomes U+FFFD.
// Pure functions; a SchemaJson is immutable. Appending throws away nothing of `out`, and leaves it
// longer by an unspecified amount where it throws.

// Options of JsonConverter.
struct JsonFormat {
  bool replace_null_with_default = true;  // replace.null.with.default
  bool decimal_as_number = false;         // decimal.format=NUMERIC; else base64 of the bytes
};

// JsonConverter with schemas.enable=false. No blanks, members in the order of the schema; a null
// is the schema's default, or null.
// Throws Error{kUndecodable}: null where the schema neither is optional nor has a default.
void append_json(std::string& out, const ConnectSchema* schema, const ConnectValue& value,
                 JsonFormat format = {});

// The text in quotes, escaped as Jackson does: \" \\ \b \t \n \f \r, other controls as \u00XX, a
// character beyond the BMP as two surrogates, everything else as it is.
void append_json_string(std::string& out, std::string_view text);

// JsonConverter with schemas.enable=true: {"schema":…,"payload":…}. Holds the text of the schema,
// which most often is far longer than the value.
class SchemaJson final {
 public:
  // nullptr: a value without schema; "schema" is null.
  explicit SchemaJson(SchemaPtr schema, JsonFormat format = {});

  // Throws as append_json does.
  void append(std::string& out, const ConnectValue& value) const;

  [[nodiscard]] const SchemaPtr& schema() const noexcept { return schema_; }

 private:
  SchemaPtr schema_;
  JsonFormat format_;
  std::string prefix_;  // up to the payload
};

// The same for a schema that is seen once.
void append_json_with_schema(std::string& out, const ConnectSchema* schema,
                             const ConnectValue& value, JsonFormat format = {});

// The format `raw`: StringConverter, and for bytes BinaryDataConverter. Numbers as Java writes
// them, arrays "[a, b]" and maps "{k=v}" as Java's collections do. Connect's logical dates are ISO
// text, a struct is its compact JSON, and so are bytes inside of an array base64. nullopt: no bytes
// at all, Kafka's null.
[[nodiscard]] std::optional<std::string> raw_text(const ConnectSchema* schema,
                                                  const ConnectValue& value);

// SimpleHeaderConverter: text without quotes at the outermost level, JSON-like inside of arrays,
// maps and structs. nullopt: a header whose value is null.
[[nodiscard]] std::optional<std::string> simple_header_text(const ConnectSchema* schema,
                                                            const ConnectValue& value);

}  // namespace walpost
