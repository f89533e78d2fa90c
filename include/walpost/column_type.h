#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "walpost/column_facts.h"
#include "walpost/connect_schema.h"
#include "walpost/connect_value.h"
#include "walpost/pgoutput.h"

namespace walpost {

// Debezium's options for values, under their names: binary.handling.mode, decimal.handling.mode,
// time.precision.mode, interval.handling.mode, hstore.handling.mode.
enum class BinaryHandlingMode { kBytes, kBase64, kBase64UrlSafe, kHex };
enum class DecimalHandlingMode { kPrecise, kDouble, kString };
enum class TimePrecisionMode {
  kAdaptive,
  kAdaptiveTimeMicroseconds,
  kConnect,
  kIsoString,
  kMicroseconds,
  kNanoseconds,
};
enum class IntervalHandlingMode { kNumeric, kString };
enum class HstoreHandlingMode { kJson, kMap };

struct ValueModes {
  BinaryHandlingMode binary_handling_mode = BinaryHandlingMode::kBytes;
  DecimalHandlingMode decimal_handling_mode = DecimalHandlingMode::kPrecise;
  TimePrecisionMode time_precision_mode = TimePrecisionMode::kAdaptive;
  IntervalHandlingMode interval_handling_mode = IntervalHandlingMode::kNumeric;
  HstoreHandlingMode hstore_handling_mode = HstoreHandlingMode::kJson;
  std::uint8_t money_fraction_digits = 2;
  bool include_unknown_datatypes = false;
};

// A value that has no form under its column's schema: what() is the reason, as the end of a
// sentence that begins with the column ("holds NaN, which …"), the hint what would help, empty if
// nothing does. Neither holds the value.
class ValueRefusal final : public std::runtime_error {
 public:
  explicit ValueRefusal(const std::string& reason, std::string hint = {})
      : std::runtime_error(reason), hint_(std::move(hint)) {}

  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  std::string hint_;
};

// Whether the column's Relation says too little: all but PostgreSQL's own types, which are known by
// their OID. Without facts such a column would be taken for one of a type that Debezium leaves out.
[[nodiscard]] bool needs_facts(const pgoutput::RelationColumn& column) noexcept;

// Whether `facts` speak of this very column: same name, same type.
[[nodiscard]] bool facts_apply(const pgoutput::RelationColumn& column, const ColumnFacts* facts);

struct ValueReader;

// A PostgreSQL column as Debezium 3.6.1's connector shows it to Kafka Connect: the schema, and the
// value of a text as pgoutput sends it under the session settings that walpost pins (DateStyle ISO,
// IntervalStyle postgres, bytea_output hex, TimeZone UTC). docs/DEBEZIUM.md, "Column types", has
// the table and where the two differ.
//
// Immutable and cheap to copy; any number of threads may parse.
class ColumnType final {
 public:
  // nullopt: Debezium leaves such a column out. `facts`, not kept, may be nullptr; those that do
  // not apply count for nothing. Without facts a column is optional and has no default.
  [[nodiscard]] static std::optional<ColumnType> make(const pgoutput::RelationColumn& column,
                                                      const ColumnFacts* facts,
                                                      const ValueModes& modes);

  // Never nullptr. Carries the column's default, which stands in for NULL where the router reads
  // with Connect's default-applying getter.
  [[nodiscard]] const SchemaPtr& schema() const noexcept { return schema_; }

  // The value of a text that is not NULL. Allocates what the value itself needs.
  // Throws ValueRefusal.
  [[nodiscard]] ConnectValue parse(std::string_view text) const;

  // The value is the text itself, as a string: no need to parse it.
  [[nodiscard]] bool is_plain_text() const noexcept { return is_plain_text_; }
  // The value is the bytes that the text shows in hexadecimal after "\x".
  [[nodiscard]] bool is_plain_bytes() const noexcept { return is_plain_bytes_; }

 private:
  ColumnType(SchemaPtr schema, std::shared_ptr<const ValueReader> reader);

  SchemaPtr schema_;
  std::shared_ptr<const ValueReader> reader_;
  bool is_plain_text_ = false;
  bool is_plain_bytes_ = false;
};

}  // namespace walpost
