#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "json_document.h"
#include "walpost/converter.h"
#include "walpost/json_expansion.h"

namespace {

using walpost::JsonExpansion;

JsonExpansion options_of(std::uint8_t byte) {
  constexpr std::array kAdjustments = {JsonExpansion::FieldNameAdjustment::kNone,
                                       JsonExpansion::FieldNameAdjustment::kAvro,
                                       JsonExpansion::FieldNameAdjustment::kAvroUnicode};
  return {.null_behavior = (byte & 1U) != 0 ? JsonExpansion::NullBehavior::kOptionalBytes
                                            : JsonExpansion::NullBehavior::kIgnore,
          .empty_array_behavior = (byte & 2U) != 0
                                      ? JsonExpansion::EmptyArrayBehavior::kOptionalString
                                      : JsonExpansion::EmptyArrayBehavior::kIgnore,
          .field_name_adjustment = kAdjustments[(byte >> 2U) % kAdjustments.size()],
          .with_schema_names = (byte & 16U) == 0};
}

}  // namespace

// The first byte chooses the options, the rest is the payload. What comes of it fits its schema, so
// that every converter can write it, and is JSON again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view payload(reinterpret_cast<const char*>(data) + 1, size - 1);
  const JsonExpansion options = options_of(data[0]);
  const auto expanded = walpost::expand_json(payload, options);
  if (!expanded) return 0;

  std::string json;
  walpost::append_json(json, expanded->schema.get(), expanded->value);
  // Adjusting makes names longer, maybe beyond the parser's limit.
  const bool adjusts = options.field_name_adjustment != JsonExpansion::FieldNameAdjustment::kNone;
  if (!adjusts && !walpost::JsonDocument::parse(json)) __builtin_trap();

  std::string with_schema;
  walpost::append_json_with_schema(with_schema, expanded->schema.get(), expanded->value);
  if (!with_schema.ends_with("\"payload\":" + json + "}")) __builtin_trap();
  if (!walpost::raw_text(expanded->schema.get(), expanded->value)) __builtin_trap();
  if (!walpost::simple_header_text(expanded->schema.get(), expanded->value)) __builtin_trap();
  return 0;
}
