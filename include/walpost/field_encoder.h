#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "walpost/column_type.h"
#include "walpost/connect_schema.h"
#include "walpost/connect_value.h"
#include "walpost/converter.h"

namespace walpost {

// How a key, a value or a header becomes bytes; the names are those of --key-format, --value-format
// and --header-format, Kafka Connect's converters stand beside them.
enum class FieldFormat {
  kRaw,         // StringConverter; bytea as its bytes, which is Debezium's BinaryDataConverter
  kSimple,      // SimpleHeaderConverter
  kJson,        // JsonConverter, schemas.enable=false
  kJsonSchema,  // JsonConverter, schemas.enable=true
};

// Writes the values of one column in one format. Where neither the text nor the bytes of a column
// change, they are not copied. Immutable.
//
// The functions that read a column's text throw ValueRefusal (column_type.h).
class FieldEncoder final {
 public:
  using Text = std::optional<std::string_view>;  // as streamed; nullopt: SQL NULL

  FieldEncoder(ColumnType type, FieldFormat format);

  // The column's default in place of NULL, as Connect's getters give it.
  [[nodiscard]] ConnectValue value_of(Text text) const;
  // The same where it is a string: without it, `text`. A view of `text` or of this encoder.
  [[nodiscard]] Text text_of(Text text) const;

  // The bytes of a key, a value or a header; nullopt: a null one. A view of `text`, of this encoder
  // or of `buffer`.
  [[nodiscard]] Text encode(Text text, std::string& buffer) const;

  // Appends the value as JsonConverter writes a member, without its schema.
  void append_json(Text text, std::string& out) const;

  [[nodiscard]] const ColumnType& type() const noexcept { return type_; }

 private:
  ColumnType type_;
  FieldFormat format_;
  std::optional<std::string> default_text_;  // of a column of plain text
  std::optional<SchemaJson> schema_json_;    // of kJsonSchema
};

// The bytes of any value in one format; nullopt: a null one.
[[nodiscard]] std::optional<std::string> encode(const ConnectSchema& schema,
                                                const ConnectValue& value, FieldFormat format);

// bytea's text form under bytea_output=hex into bytes. False: it is not that form.
[[nodiscard]] bool decode_bytea(std::string_view text, std::string& bytes);

}  // namespace walpost
