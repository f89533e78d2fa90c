#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace walpost {

struct ConnectValue;

// Bytes, not text: Connect's BYTES.
struct Bytes {
  std::string data;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

// An exact number, unscaled × 10^-scale, as java.math.BigDecimal holds it.
struct Decimal {
  std::string unscaled;  // decimal digits, "-" before them if negative; "0" for zero
  std::int32_t scale = 0;
  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// Of ConnectType::kArray, kMap and kStruct. A struct's members stand in the order of its schema's
// fields.
struct ConnectArray {
  std::vector<ConnectValue> elements;
  friend bool operator==(const ConnectArray&, const ConnectArray&);
};
struct ConnectMap {
  struct Entry;
  std::vector<Entry> entries;
  friend bool operator==(const ConnectMap&, const ConnectMap&);
};
struct ConnectStruct {
  std::vector<ConnectValue> members;
  friend bool operator==(const ConnectStruct&, const ConnectStruct&);
};

// A value as Kafka Connect would hold it; which alternatives are legal says its ConnectSchema:
// kInt16 to kInt64 are std::int64_t, kBytes is Bytes, or Decimal under the name
// org.apache.kafka.connect.data.Decimal. A default-constructed value is null.
struct ConnectValue {
  using Null = std::monostate;

  std::variant<Null, bool, std::int64_t, float, double, std::string, Bytes, Decimal, ConnectArray,
               ConnectMap, ConnectStruct>
      value;

  [[nodiscard]] bool is_null() const noexcept { return std::holds_alternative<Null>(value); }
  friend bool operator==(const ConnectValue&, const ConnectValue&) = default;
};

struct ConnectMap::Entry {
  Entry(std::string entry_key, ConnectValue entry_value)
      : key(std::move(entry_key)), value(std::move(entry_value)) {}

  std::string key;
  ConnectValue value;
  friend bool operator==(const Entry&, const Entry&) = default;
};

inline bool operator==(const ConnectArray& a, const ConnectArray& b) {
  return a.elements == b.elements;
}
inline bool operator==(const ConnectMap& a, const ConnectMap& b) { return a.entries == b.entries; }
inline bool operator==(const ConnectStruct& a, const ConnectStruct& b) {
  return a.members == b.members;
}

}  // namespace walpost
