#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "walpost/column_type.h"

namespace {

using namespace walpost;

// Each of these with each set of modes: every parser that there is.
std::vector<ColumnFacts> columns() {
  std::vector<ColumnFacts> all;
  const auto add = [&](std::uint32_t oid, std::int32_t typmod, const char* typname, char typtype) {
    ColumnFacts facts{.attname = "v", .atttypid = Oid{oid}};
    facts.type = {.oid = Oid{oid}, .typname = typname, .typtype = typtype};
    facts.typmod = typmod;
    facts.is_domain = true;  // so that the typmod is the one of the facts
    all.push_back(facts);
    facts.type.oid = Oid{100'000};
    facts.element = all.back().type;
    facts.element_typmod = typmod;
    facts.is_element_domain = true;
    all.push_back(facts);
  };
  constexpr std::int32_t kNumeric9Scale2 = (9 << 16 | 2) + 4;
  constexpr std::int32_t kNumeric3ScaleMinus2 = (3 << 16 | 0x7FE) + 4;
  for (const std::uint32_t oid :
       {16U,   17U,   20U,   21U,   22U,   23U,   25U,   26U,   30U,   114U,
        600U,  603U,  700U,  701U,  790U,  1042U, 1082U, 1083U, 1114U, 1184U,
        1186U, 1266U, 1560U, 1562U, 1700U, 2950U, 3220U, 3614U, 3802U, 3904U}) {
    add(oid, -1, "t", 'b');
  }
  add(1700, kNumeric9Scale2, "numeric", 'b');
  add(1700, kNumeric3ScaleMinus2, "numeric", 'b');
  add(1114, 3, "timestamp", 'b');
  add(1184, 0, "timestamptz", 'b');
  add(1184, 3, "timestamptz", 'b');
  add(1083, 3, "time", 'b');
  add(1560, 10, "bit", 'b');
  for (const auto* name : {"hstore", "ltree", "geometry", "geography", "vector", "halfvec"}) {
    add(100'001, -1, name, 'b');
  }
  add(100'002, -1, "mood", 'e');
  return all;
}

std::vector<ValueModes> all_modes() {
  return {{},
          {.binary_handling_mode = BinaryHandlingMode::kBase64,
           .decimal_handling_mode = DecimalHandlingMode::kDouble,
           .time_precision_mode = TimePrecisionMode::kConnect,
           .interval_handling_mode = IntervalHandlingMode::kString,
           .hstore_handling_mode = HstoreHandlingMode::kMap,
           .include_unknown_datatypes = true},
          {.binary_handling_mode = BinaryHandlingMode::kHex,
           .decimal_handling_mode = DecimalHandlingMode::kString,
           .time_precision_mode = TimePrecisionMode::kIsoString,
           .money_fraction_digits = 0},
          {.binary_handling_mode = BinaryHandlingMode::kBase64UrlSafe,
           .time_precision_mode = TimePrecisionMode::kNanoseconds,
           .money_fraction_digits = 200}};
}

std::vector<ColumnType> all_types() {
  std::vector<ColumnType> types;
  for (const auto& facts : columns()) {
    for (const auto& modes : all_modes()) {
      const auto type = ColumnType::make({.name = "v", .type_oid = facts.atttypid}, &facts, modes);
      if (type) types.push_back(*type);
    }
  }
  return types;
}

// What a plain text's parser gives is the text, and no value is null unless its text says so.
void check(const ColumnType& type, std::string_view text) {
  try {
    const ConnectValue value = type.parse(text);
    if (value.is_null()) __builtin_trap();
    if (type.is_plain_text() && std::get<std::string>(value.value) != text) __builtin_trap();
  } catch (const ValueRefusal&) {
    if (type.is_plain_text()) __builtin_trap();
  }
}

}  // namespace

// The input is the text of a column, and the expression of its default.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<ColumnType> types = all_types();
  static const std::vector<ColumnFacts> facts = columns();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& type : types) check(type, text);
  for (ColumnFacts column : facts) {
    column.is_domain = false;
    column.default_expression = text;
    (void)ColumnType::make({.name = "v", .type_oid = column.atttypid}, &column, {});
  }
  return 0;
}
