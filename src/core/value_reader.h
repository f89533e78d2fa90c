#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "walpost/column_type.h"

namespace walpost {

// How the texts of one column become values: a function for its type under the modes in force, and
// what that function needs to know. ColumnType's inside.
struct ValueReader {
  using Parse = ConnectValue (*)(std::string_view text, const ValueReader& reader);

  Parse parse = nullptr;
  std::int32_t scale = 0;  // digits after the point: of numeric, money, the seconds of timestamptz
  std::shared_ptr<const ValueReader> element;  // of arrays
  char delimiter = ',';                        // between an array's elements
  bool is_element_optional = true;
};

// A schema that still lacks what the column adds to it (optional, default), and its reader.
struct TypeChoice {
  ConnectSchema schema;
  ValueReader reader;
};

// What the choice hangs on.
struct TypeShape {
  Oid oid;
  std::int32_t typmod = -1;
  const TypeFacts* facts = nullptr;  // of a type that is not PostgreSQL's own

  std::optional<Oid> element_oid;  // of an array
  std::int32_t element_typmod = -1;
  const TypeFacts* element_facts = nullptr;
  bool is_element_domain = false;
};

// nullopt: Debezium leaves the column out.
[[nodiscard]] std::optional<TypeChoice> choose_type(const TypeShape& shape,
                                                    const ValueModes& modes);

// The element type of one of PostgreSQL's own array types.
[[nodiscard]] std::optional<Oid> element_of_builtin_array(Oid oid) noexcept;
// Neither an array nor a scalar that is known by its OID.
[[nodiscard]] bool is_foreign_type(Oid oid) noexcept;

// The default that Debezium exports for `expression` (pg_get_expr) in a column of this type; no
// domain, no array.
[[nodiscard]] std::optional<ConnectValue> exported_default(std::string_view expression,
                                                           const TypeShape& shape,
                                                           const TypeChoice& choice);

[[noreturn]] void refuse_malformed(std::string_view type);

namespace parse {

// column_type_binary.cc
ConnectValue text(std::string_view text, const ValueReader& reader);
ConnectValue boolean(std::string_view text, const ValueReader& reader);
ConnectValue bytea_bytes(std::string_view text, const ValueReader& reader);
ConnectValue bytea_base64(std::string_view text, const ValueReader& reader);
ConnectValue bytea_base64_url_safe(std::string_view text, const ValueReader& reader);
ConnectValue bytea_hex(std::string_view text, const ValueReader& reader);
ConnectValue unknown_bytes(std::string_view text, const ValueReader& reader);
ConnectValue unknown_base64(std::string_view text, const ValueReader& reader);
ConnectValue unknown_base64_url_safe(std::string_view text, const ValueReader& reader);
ConnectValue unknown_hex(std::string_view text, const ValueReader& reader);
ConnectValue bit(std::string_view text, const ValueReader& reader);
ConnectValue bits(std::string_view text, const ValueReader& reader);

// column_type_numeric.cc
ConnectValue integer(std::string_view text, const ValueReader& reader);
ConnectValue float4(std::string_view text, const ValueReader& reader);
ConnectValue float8(std::string_view text, const ValueReader& reader);
ConnectValue decimal(std::string_view text, const ValueReader& reader);
ConnectValue variable_scale_decimal(std::string_view text, const ValueReader& reader);
ConnectValue numeric_double(std::string_view text, const ValueReader& reader);
ConnectValue numeric_string(std::string_view text, const ValueReader& reader);
ConnectValue money_decimal(std::string_view text, const ValueReader& reader);
ConnectValue money_double(std::string_view text, const ValueReader& reader);
ConnectValue money_string(std::string_view text, const ValueReader& reader);

// column_type_temporal.cc
ConnectValue date_days(std::string_view text, const ValueReader& reader);
ConnectValue date_iso(std::string_view text, const ValueReader& reader);
ConnectValue time_ms(std::string_view text, const ValueReader& reader);
ConnectValue time_us(std::string_view text, const ValueReader& reader);
ConnectValue time_ns(std::string_view text, const ValueReader& reader);
ConnectValue time_iso(std::string_view text, const ValueReader& reader);
ConnectValue timetz(std::string_view text, const ValueReader& reader);
ConnectValue timestamp_ms(std::string_view text, const ValueReader& reader);
ConnectValue timestamp_us(std::string_view text, const ValueReader& reader);
ConnectValue timestamp_ns(std::string_view text, const ValueReader& reader);
ConnectValue timestamp_iso(std::string_view text, const ValueReader& reader);
ConnectValue timestamptz(std::string_view text, const ValueReader& reader);

// column_type_interval.cc
ConnectValue interval_us(std::string_view text, const ValueReader& reader);
ConnectValue interval_iso(std::string_view text, const ValueReader& reader);

// column_type_nested.cc
ConnectValue array(std::string_view text, const ValueReader& reader);
ConnectValue vector_of_integers(std::string_view text, const ValueReader& reader);
ConnectValue vector_of_floats(std::string_view text, const ValueReader& reader);
ConnectValue point(std::string_view text, const ValueReader& reader);
ConnectValue geometry(std::string_view text, const ValueReader& reader);

// column_type_hstore.cc
ConnectValue hstore_json(std::string_view text, const ValueReader& reader);
ConnectValue hstore_map(std::string_view text, const ValueReader& reader);

}  // namespace parse

// The scale in a numeric's typmod, which is not -1; negative: zeros before the point.
[[nodiscard]] constexpr std::int32_t numeric_scale(std::int32_t typmod) noexcept {
  return (((typmod - 4) & 0x7FF) ^ 0x400) - 0x400;
}

// A numeric's text at exactly `scale` digits after the point, as the column would hold it; nullopt:
// not a finite number, or digits would be lost.
[[nodiscard]] std::optional<std::string> numeric_at_scale(std::string_view text,
                                                          std::int32_t scale);

// The bytes of bytea's hexadecimal digits, without "\x"; nullopt: not an even number of them.
[[nodiscard]] std::optional<std::string> decode_hex(std::string_view digits);

}  // namespace walpost
