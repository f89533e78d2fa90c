#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "type_oids.h"
#include "value_reader.h"

namespace walpost {
namespace {

constexpr int kMicrosecondDigits = 6;

struct ArrayOf {
  std::uint32_t array;
  std::uint32_t element;
};

// pg_type.typarray, of the types that have a schema. In the arrays' order.
constexpr auto kBuiltinArrays = std::to_array<ArrayOf>({
    {143, type_oid::kXml},          {199, type_oid::kJson},       {651, type_oid::kCidr},
    {775, type_oid::kMacaddr8},     {791, type_oid::kMoney},      {1000, type_oid::kBool},
    {1001, type_oid::kBytea},       {1002, type_oid::kChar},      {1003, type_oid::kName},
    {1005, type_oid::kInt2},        {1007, type_oid::kInt4},      {1009, type_oid::kText},
    {1014, type_oid::kBpchar},      {1015, type_oid::kVarchar},   {1016, type_oid::kInt8},
    {1017, type_oid::kPoint},       {1021, type_oid::kFloat4},    {1022, type_oid::kFloat8},
    {1028, type_oid::kOid},         {1040, type_oid::kMacaddr},   {1041, type_oid::kInet},
    {1115, type_oid::kTimestamp},   {1182, type_oid::kDate},      {1183, type_oid::kTime},
    {1185, type_oid::kTimestamptz}, {1187, type_oid::kInterval},  {1231, type_oid::kNumeric},
    {1270, type_oid::kTimetz},      {1561, type_oid::kBit},       {1563, type_oid::kVarbit},
    {2951, type_oid::kUuid},        {3643, type_oid::kTsvector},  {3807, type_oid::kJsonb},
    {3905, type_oid::kInt4Range},   {3907, type_oid::kNumRange},  {3909, type_oid::kTsRange},
    {3911, type_oid::kTstzRange},   {3913, type_oid::kDateRange}, {3927, type_oid::kInt8Range},
});

TypeChoice plain(ConnectType type, ValueReader::Parse parse) {
  return {.schema = {.type = type}, .reader = {.parse = parse}};
}

// A schema with a name has version 1, all of them.
TypeChoice named(ConnectType type, std::string name, ValueReader::Parse parse) {
  TypeChoice choice = plain(type, parse);
  choice.schema.name = std::move(name);
  choice.schema.version = 1;
  return choice;
}

TypeChoice named_text(std::string name) {
  return named(ConnectType::kString, std::move(name), parse::text);
}

SchemaPtr field_schema(ConnectType type, bool optional) {
  return std::make_shared<const ConnectSchema>(ConnectSchema{.type = type, .optional = optional});
}

TypeChoice binary(BinaryHandlingMode mode) {
  switch (mode) {
    case BinaryHandlingMode::kBytes:
      return plain(ConnectType::kBytes, parse::bytea_bytes);
    case BinaryHandlingMode::kBase64:
      return plain(ConnectType::kString, parse::bytea_base64);
    case BinaryHandlingMode::kBase64UrlSafe:
      return plain(ConnectType::kString, parse::bytea_base64_url_safe);
    case BinaryHandlingMode::kHex:
      return plain(ConnectType::kString, parse::bytea_hex);
  }
  __builtin_unreachable();
}

// A type that Debezium does not know: the text's bytes.
TypeChoice unknown(BinaryHandlingMode mode) {
  switch (mode) {
    case BinaryHandlingMode::kBytes:
      return plain(ConnectType::kBytes, parse::unknown_bytes);
    case BinaryHandlingMode::kBase64:
      return plain(ConnectType::kString, parse::unknown_base64);
    case BinaryHandlingMode::kBase64UrlSafe:
      return plain(ConnectType::kString, parse::unknown_base64_url_safe);
    case BinaryHandlingMode::kHex:
      return plain(ConnectType::kString, parse::unknown_hex);
  }
  __builtin_unreachable();
}

TypeChoice decimal_of_scale(std::int32_t scale, ValueReader::Parse parse) {
  TypeChoice choice = named(ConnectType::kBytes, "org.apache.kafka.connect.data.Decimal", parse);
  choice.schema.parameters.emplace_back("scale", std::to_string(scale));
  choice.reader.scale = scale;
  return choice;
}

TypeChoice variable_scale_decimal() {
  TypeChoice choice = named(ConnectType::kStruct, "io.debezium.data.VariableScaleDecimal",
                            parse::variable_scale_decimal);
  choice.schema.doc = "Variable scaled decimal";
  choice.schema.fields = {{"scale", field_schema(ConnectType::kInt32, false)},
                          {"value", field_schema(ConnectType::kBytes, false)}};
  return choice;
}

TypeChoice numeric(std::int32_t typmod, DecimalHandlingMode mode) {
  switch (mode) {
    case DecimalHandlingMode::kPrecise: {
      if (typmod < 4) return variable_scale_decimal();
      TypeChoice choice = decimal_of_scale(numeric_scale(typmod), parse::decimal);
      const std::int32_t precision = (typmod - 4) >> 16 & 0xFFFF;
      choice.schema.parameters.emplace_back("connect.decimal.precision", std::to_string(precision));
      return choice;
    }
    case DecimalHandlingMode::kDouble:
      return plain(ConnectType::kFloat64, parse::numeric_double);
    case DecimalHandlingMode::kString:
      return plain(ConnectType::kString, parse::numeric_string);
  }
  __builtin_unreachable();
}

TypeChoice money(const ValueModes& modes) {
  switch (modes.decimal_handling_mode) {
    case DecimalHandlingMode::kPrecise:
      return decimal_of_scale(modes.money_fraction_digits, parse::money_decimal);
    case DecimalHandlingMode::kDouble:
      return plain(ConnectType::kFloat64, parse::money_double);
    case DecimalHandlingMode::kString:
      return plain(ConnectType::kString, parse::money_string);
  }
  __builtin_unreachable();
}

TypeChoice bits(std::int32_t length) {
  if (length == 1) return plain(ConnectType::kBoolean, parse::bit);
  TypeChoice choice = named(ConnectType::kBytes, "io.debezium.data.Bits", parse::bits);
  choice.schema.parameters.emplace_back("length", std::to_string(length));
  return choice;
}

TypeChoice date(TimePrecisionMode mode) {
  switch (mode) {
    case TimePrecisionMode::kConnect:
      return named(ConnectType::kInt32, "org.apache.kafka.connect.data.Date", parse::date_days);
    case TimePrecisionMode::kIsoString:
      return named(ConnectType::kString, "io.debezium.time.IsoDate", parse::date_iso);
    case TimePrecisionMode::kAdaptive:
    case TimePrecisionMode::kAdaptiveTimeMicroseconds:
    case TimePrecisionMode::kMicroseconds:
    case TimePrecisionMode::kNanoseconds:
      return named(ConnectType::kInt32, "io.debezium.time.Date", parse::date_days);
  }
  __builtin_unreachable();
}

// Digits of the seconds: the typmod of the time types, 6 without one.
int fraction_digits(std::int32_t typmod) {
  return typmod < 0 ? kMicrosecondDigits : std::min(typmod, kMicrosecondDigits);
}

TypeChoice time(std::int32_t typmod, TimePrecisionMode mode) {
  switch (mode) {
    case TimePrecisionMode::kAdaptive:
      if (fraction_digits(typmod) <= 3) {
        return named(ConnectType::kInt32, "io.debezium.time.Time", parse::time_ms);
      }
      [[fallthrough]];
    case TimePrecisionMode::kAdaptiveTimeMicroseconds:
    case TimePrecisionMode::kMicroseconds:
      return named(ConnectType::kInt64, "io.debezium.time.MicroTime", parse::time_us);
    case TimePrecisionMode::kNanoseconds:
      return named(ConnectType::kInt64, "io.debezium.time.NanoTime", parse::time_ns);
    case TimePrecisionMode::kConnect:
      return named(ConnectType::kInt32, "org.apache.kafka.connect.data.Time", parse::time_ms);
    case TimePrecisionMode::kIsoString:
      return named(ConnectType::kString, "io.debezium.time.IsoTime", parse::time_iso);
  }
  __builtin_unreachable();
}

TypeChoice timestamp(std::int32_t typmod, TimePrecisionMode mode) {
  switch (mode) {
    case TimePrecisionMode::kAdaptive:
    case TimePrecisionMode::kAdaptiveTimeMicroseconds:
      if (fraction_digits(typmod) <= 3) {
        return named(ConnectType::kInt64, "io.debezium.time.Timestamp", parse::timestamp_ms);
      }
      [[fallthrough]];
    case TimePrecisionMode::kMicroseconds:
      return named(ConnectType::kInt64, "io.debezium.time.MicroTimestamp", parse::timestamp_us);
    case TimePrecisionMode::kNanoseconds:
      return named(ConnectType::kInt64, "io.debezium.time.NanoTimestamp", parse::timestamp_ns);
    case TimePrecisionMode::kConnect:
      return named(ConnectType::kInt64, "org.apache.kafka.connect.data.Timestamp",
                   parse::timestamp_ms);
    case TimePrecisionMode::kIsoString:
      return named(ConnectType::kString, "io.debezium.time.IsoTimestamp", parse::timestamp_iso);
  }
  __builtin_unreachable();
}

TypeChoice timestamptz(std::int32_t typmod) {
  TypeChoice choice =
      named(ConnectType::kString, "io.debezium.time.ZonedTimestamp", parse::timestamptz);
  choice.reader.scale = fraction_digits(typmod);
  return choice;
}

TypeChoice interval(IntervalHandlingMode mode) {
  if (mode == IntervalHandlingMode::kString) {
    return named(ConnectType::kString, "io.debezium.time.Interval", parse::interval_iso);
  }
  return named(ConnectType::kInt64, "io.debezium.time.MicroDuration", parse::interval_us);
}

TypeChoice hstore(HstoreHandlingMode mode) {
  if (mode == HstoreHandlingMode::kJson) {
    return named(ConnectType::kString, "io.debezium.data.Json", parse::hstore_json);
  }
  TypeChoice choice = plain(ConnectType::kMap, parse::hstore_map);
  choice.schema.key = field_schema(ConnectType::kString, false);
  choice.schema.element = field_schema(ConnectType::kString, true);
  return choice;
}

TypeChoice point() {
  TypeChoice choice = named(ConnectType::kStruct, "io.debezium.data.geometry.Point", parse::point);
  choice.schema.doc = "Geometry (POINT)";
  choice.schema.fields = {{"x", field_schema(ConnectType::kFloat64, false)},
                          {"y", field_schema(ConnectType::kFloat64, false)},
                          {"wkb", field_schema(ConnectType::kBytes, true)},
                          {"srid", field_schema(ConnectType::kInt32, true)}};
  return choice;
}

// `name`: Geometry or Geography. Debezium's Geometry is optional even in a NOT NULL column.
TypeChoice geometry(const std::string& name) {
  TypeChoice choice =
      named(ConnectType::kStruct, "io.debezium.data.geometry." + name, parse::geometry);
  choice.schema.optional = name == "Geometry";
  choice.schema.doc = name;
  choice.schema.fields = {{"wkb", field_schema(ConnectType::kBytes, false)},
                          {"srid", field_schema(ConnectType::kInt32, true)}};
  return choice;
}

TypeChoice array_of(TypeChoice element, bool is_element_optional) {
  TypeChoice choice = plain(ConnectType::kArray, parse::array);
  element.schema.optional = element.schema.optional || is_element_optional;
  choice.schema.element = std::make_shared<const ConnectSchema>(std::move(element.schema));
  choice.reader.element = std::make_shared<const ValueReader>(std::move(element.reader));
  choice.reader.is_element_optional = is_element_optional;
  return choice;
}

// int2vector and oidvector.
TypeChoice integer_vector(ConnectType element) {
  TypeChoice choice = array_of(plain(element, parse::integer), false);
  choice.reader.parse = parse::vector_of_integers;
  return choice;
}

// pgvector's types.
TypeChoice float_vector(std::string name, TypeChoice element) {
  TypeChoice choice = array_of(std::move(element), false);
  choice.schema.name = std::move(name);
  choice.schema.version = 1;
  choice.reader.parse = parse::vector_of_floats;
  return choice;
}

TypeChoice enumeration(const TypeFacts& facts) {
  TypeChoice choice = named_text("io.debezium.data.Enum");
  std::string allowed;
  for (const auto& label : facts.enum_labels) {
    if (!allowed.empty()) allowed += ',';
    allowed += label;
  }
  choice.schema.parameters.emplace_back("allowed", std::move(allowed));
  return choice;
}

// What Debezium knows by name, whatever the schema.
std::optional<TypeChoice> choose_foreign(const TypeFacts& facts, const ValueModes& modes) {
  if (facts.typtype == 'e') return enumeration(facts);
  if (facts.typtype != 'b') return std::nullopt;
  const std::string_view name = facts.typname;
  if (name == "citext" || name == "isbn") return plain(ConnectType::kString, parse::text);
  if (name == "hstore") return hstore(modes.hstore_handling_mode);
  if (name == "ltree") return named_text("io.debezium.data.Ltree");
  if (name == "geometry") return geometry("Geometry");
  if (name == "geography") return geometry("Geography");
  if (name == "vector") {
    return float_vector("io.debezium.data.DoubleVector",
                        plain(ConnectType::kFloat64, parse::float8));
  }
  if (name == "halfvec") {
    return float_vector("io.debezium.data.FloatVector",
                        plain(ConnectType::kFloat32, parse::float4));
  }
  return std::nullopt;
}

// nullopt: not one of PostgreSQL's own types that Debezium knows.
std::optional<TypeChoice> choose_builtin(Oid oid, std::int32_t typmod, const ValueModes& modes) {
  switch (oid.value) {
    case type_oid::kBool:
      return plain(ConnectType::kBoolean, parse::boolean);
    case type_oid::kBytea:
      return binary(modes.binary_handling_mode);
    case type_oid::kInt2:
      return plain(ConnectType::kInt16, parse::integer);
    case type_oid::kInt4:
      return plain(ConnectType::kInt32, parse::integer);
    case type_oid::kInt8:
    case type_oid::kOid:
      return plain(ConnectType::kInt64, parse::integer);
    case type_oid::kFloat4:
      return plain(ConnectType::kFloat32, parse::float4);
    case type_oid::kFloat8:
      return plain(ConnectType::kFloat64, parse::float8);
    case type_oid::kNumeric:
      return numeric(typmod, modes.decimal_handling_mode);
    case type_oid::kMoney:
      return money(modes);
    case type_oid::kBit:
      return bits(typmod < 0 ? 1 : typmod);
    case type_oid::kVarbit:
      return bits(typmod < 0 ? std::numeric_limits<std::int32_t>::max() : typmod);
    case type_oid::kChar:
    case type_oid::kName:
    case type_oid::kText:
    case type_oid::kBpchar:
    case type_oid::kVarchar:
    case type_oid::kInet:
    case type_oid::kCidr:
    case type_oid::kMacaddr:
    case type_oid::kMacaddr8:
    case type_oid::kInt4Range:
    case type_oid::kInt8Range:
    case type_oid::kNumRange:
    case type_oid::kTsRange:
    case type_oid::kTstzRange:
    case type_oid::kDateRange:
      return plain(ConnectType::kString, parse::text);
    case type_oid::kUuid:
      return named_text("io.debezium.data.Uuid");
    case type_oid::kJson:
    case type_oid::kJsonb:
      return named_text("io.debezium.data.Json");
    case type_oid::kXml:
      return named_text("io.debezium.data.Xml");
    case type_oid::kTsvector:
      return named_text("io.debezium.data.Tsvector");
    case type_oid::kDate:
      return date(modes.time_precision_mode);
    case type_oid::kTime:
      return time(typmod, modes.time_precision_mode);
    case type_oid::kTimetz:
      return named(ConnectType::kString, "io.debezium.time.ZonedTime", parse::timetz);
    case type_oid::kTimestamp:
      return timestamp(typmod, modes.time_precision_mode);
    case type_oid::kTimestamptz:
      return timestamptz(typmod);
    case type_oid::kInterval:
      return interval(modes.interval_handling_mode);
    case type_oid::kPoint:
      return point();
    case type_oid::kInt2Vector:
      return integer_vector(ConnectType::kInt16);
    case type_oid::kOidVector:
      return integer_vector(ConnectType::kInt64);
    default:
      return std::nullopt;
  }
}

std::optional<TypeChoice> choose_scalar(Oid oid, std::int32_t typmod, const TypeFacts* facts,
                                        const ValueModes& modes) {
  auto choice = choose_builtin(oid, typmod, modes);
  if (!choice && facts) choice = choose_foreign(*facts, modes);
  return choice;
}

// Debezium's arrays have optional elements, but for those whose schema it does not spell out.
bool is_element_optional(Oid element, const TypeFacts* facts) {
  if (element.value == type_oid::kTsvector) return false;
  return !facts || (facts->typtype != 'e' && facts->typname != "isbn");
}

std::optional<TypeChoice> choose_array(const TypeShape& shape, Oid element,
                                       const ValueModes& modes) {
  // Arrays of domains are unknown to Debezium; where it does not show their bytes, it shows
  // nothing.
  const bool is_opaque = shape.is_element_domain && modes.include_unknown_datatypes;
  std::optional<TypeChoice> choice;
  if (!is_opaque) {
    choice = choose_scalar(element, shape.element_typmod, shape.element_facts, modes);
  }
  if (choice) {
    return array_of(*std::move(choice), is_element_optional(element, shape.element_facts));
  }
  if (!modes.include_unknown_datatypes) return std::nullopt;
  choice = array_of(unknown(modes.binary_handling_mode), false);
  if (element.value == type_oid::kBox) choice->reader.delimiter = ';';
  return choice;
}

}  // namespace

std::optional<Oid> element_of_builtin_array(Oid oid) noexcept {
  const auto* found = std::ranges::lower_bound(kBuiltinArrays, oid.value, {}, &ArrayOf::array);
  if (found == kBuiltinArrays.end() || found->array != oid.value) return std::nullopt;
  return Oid{found->element};
}

bool is_foreign_type(Oid oid) noexcept {
  return !element_of_builtin_array(oid) && !choose_builtin(oid, -1, {});
}

std::optional<TypeChoice> choose_type(const TypeShape& shape, const ValueModes& modes) {
  if (shape.element_oid) return choose_array(shape, *shape.element_oid, modes);
  auto choice = choose_scalar(shape.oid, shape.typmod, shape.facts, modes);
  if (!choice && modes.include_unknown_datatypes) choice = unknown(modes.binary_handling_mode);
  return choice;
}

}  // namespace walpost
