#pragma once

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "walpost/column_type.h"

// A short notation for what a column becomes, so that a test is one line per case.
namespace walpost::shown {

inline std::string hex(std::string_view bytes) {
  std::string out = "0x";
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string value(const ConnectValue& value);

inline std::string list(const std::vector<ConnectValue>& values) {
  std::string out;
  for (const auto& item : values) out += (out.empty() ? "" : ", ") + value(item);
  return out;
}

// null, true, 5, 1.5f, 1.5, 'text', 0x00ff, 1250e-2, [a, b], {'k': v}, (x, y)
struct Visitor {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool item) const { return item ? "true" : "false"; }
  std::string operator()(std::int64_t item) const { return std::to_string(item); }
  std::string operator()(float item) const { return fmt::format("{}f", item); }
  std::string operator()(double item) const {
    std::string text = fmt::format("{}", item);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  std::string operator()(const std::string& item) const { return "'" + item + "'"; }
  std::string operator()(const Bytes& item) const { return hex(item.data); }
  std::string operator()(const Decimal& item) const {
    return fmt::format("{}e{}", item.unscaled, -item.scale);
  }
  std::string operator()(const ConnectArray& item) const { return "[" + list(item.elements) + "]"; }
  std::string operator()(const ConnectStruct& item) const { return "(" + list(item.members) + ")"; }
  std::string operator()(const ConnectMap& item) const {
    std::string out;
    for (const auto& [key, entry] : item.entries) {
      out += fmt::format("{}'{}': {}", out.empty() ? "" : ", ", key, value(entry));
    }
    return "{" + out + "}";
  }
};

inline std::string value(const ConnectValue& value) { return std::visit(Visitor{}, value.value); }

// "int32? io.debezium.time.Date", "array?<string?>", "bytes? …Decimal {scale=2} = 100e-2"; "?" is
// optional, "=" the default. A version other than 1 of a named schema is shown.
inline std::string schema(const ConnectSchema& schema) {
  constexpr const char* kTypes[] = {"int16",  "int32", "int64", "float", "double", "boolean",
                                    "string", "bytes", "array", "map",   "struct"};
  std::string out = kTypes[static_cast<int>(schema.type)];
  if (schema.optional) out += '?';
  if (schema.key) out += "<" + walpost::shown::schema(*schema.key) + ",";
  if (schema.element)
    out += (schema.key ? "" : "<") + walpost::shown::schema(*schema.element) + ">";
  if (!schema.fields.empty()) {
    out += "<";
    for (const auto& field : schema.fields) {
      if (!out.ends_with('<')) out += ", ";
      out += field.name + " " + walpost::shown::schema(*field.schema);
    }
    out += ">";
  }
  if (!schema.name.empty()) out += " " + schema.name;
  if (schema.version && (schema.name.empty() || *schema.version != 1)) {
    out += fmt::format(" v{}", *schema.version);
  }
  if (!schema.name.empty() && !schema.version) out += " without version";
  if (!schema.doc.empty()) out += " \"" + schema.doc + "\"";
  if (!schema.parameters.empty()) {
    std::string parameters;
    for (const auto& [name, text] : schema.parameters) {
      parameters += (parameters.empty() ? "" : ", ") + name + "=" + text;
    }
    out += " {" + parameters + "}";
  }
  if (schema.default_value) out += " = " + value(*schema.default_value);
  return out;
}

}  // namespace walpost::shown

// Columns to make types of.
namespace walpost::column_type_fixture {

using pgoutput::RelationColumn;

inline constexpr std::uint32_t kForeign = 16500;       // a type of no fixed OID
inline constexpr std::uint32_t kForeignArray = 16501;  // its array

inline constexpr std::int32_t numeric_typmod(std::int32_t precision, std::int32_t scale) {
  return (precision << 16 | (scale & 0x7FF)) + 4;
}

// What a table holds of a column's type.
struct Type {
  std::uint32_t oid;
  std::int32_t typmod = -1;
};

inline RelationColumn column_of(Type type) {
  return {.name = "v", .type_oid = Oid{type.oid}, .type_modifier = type.typmod};
}

inline ColumnType make(Type type, ValueModes modes = {}) {
  auto made = ColumnType::make(column_of(type), nullptr, modes);
  if (!made) throw std::runtime_error("left out");
  return *made;
}

inline std::string value(const ColumnType& type, std::string_view text) {
  return shown::value(type.parse(text));
}

// "schema: value", or why there is no value.
inline std::string made(Type type, std::string_view text, ValueModes modes = {}) {
  const ColumnType made = make(type, modes);
  try {
    return shown::schema(*made.schema()) + ": " + value(made, text);
  } catch (const ValueRefusal& refusal) {
    return shown::schema(*made.schema()) + " refused: " + refusal.what();
  }
}

inline std::string refusal(const ColumnType& type, std::string_view text) {
  try {
    return "accepted as " + shown::value(type.parse(text));
  } catch (const ValueRefusal& refusal) {
    return refusal.what();
  }
}

inline TypeFacts type_facts(Type type) { return {.oid = Oid{type.oid}, .typname = "t"}; }

inline ColumnFacts facts_of(Type type) {
  return {.attname = "v", .atttypid = Oid{type.oid}, .type = type_facts(type)};
}

inline std::optional<ColumnType> make_with(const ColumnFacts& facts, ValueModes modes = {},
                                           std::int32_t typmod = -1) {
  return ColumnType::make(column_of({facts.atttypid.value, typmod}), &facts, modes);
}

// A type that only its facts make known.
inline ColumnFacts foreign(std::string typname, char typtype = 'b',
                           std::vector<std::string> labels = {}) {
  return {.attname = "v",
          .atttypid = Oid{kForeign},
          .type = {.oid = Oid{kForeign},
                   .typname = std::move(typname),
                   .typtype = typtype,
                   .enum_labels = std::move(labels)}};
}

inline ColumnFacts array_of(const ColumnFacts& element) {
  return {.attname = "v",
          .atttypid = Oid{kForeignArray},
          .type = {.oid = Oid{kForeignArray}, .typname = "_" + element.type.typname},
          .element = element.type};
}

inline ColumnFacts domain_over(Type type) {
  ColumnFacts facts = foreign("d");
  facts.type = type_facts(type);
  facts.typmod = type.typmod;
  facts.is_domain = true;
  return facts;
}

inline ValueModes with(DecimalHandlingMode mode) { return {.decimal_handling_mode = mode}; }
inline ValueModes with(TimePrecisionMode mode) { return {.time_precision_mode = mode}; }
inline ValueModes with(BinaryHandlingMode mode) { return {.binary_handling_mode = mode}; }
inline ValueModes with(HstoreHandlingMode mode) { return {.hstore_handling_mode = mode}; }
inline constexpr ValueModes kUnknownIncluded{.include_unknown_datatypes = true};

inline constexpr Type kBool{16}, kBytea{17}, kChar{18}, kName{19}, kInt8{20}, kInt2{21}, kInt4{23},
    kText{25}, kOidType{26}, kJson{114}, kXml{142}, kPoint{600}, kCidr{650}, kFloat4{700},
    kFloat8{701}, kMacaddr8{774}, kMoney{790}, kMacaddr{829}, kInet{869}, kBpchar5{1042, 9},
    kVarchar{1043}, kDate{1082}, kTime{1083}, kTimestamp{1114}, kTimestamptz{1184}, kInterval{1186},
    kTimetz{1266}, kBit1{1560, 1}, kBit10{1560, 10}, kVarbit{1562}, kNumeric{1700}, kUuid{2950},
    kPgLsn{3220}, kTsvector{3614}, kJsonb{3802}, kInt4Range{3904}, kTsRange{3908};
inline constexpr Type kNumeric9_2{1700, numeric_typmod(9, 2)};

}  // namespace walpost::column_type_fixture
