#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace walpost::test {

// What bytes are expected: none at all, these, or such as fit a text with placeholders.
struct ExpectedBytes {
  enum class Kind { kNull, kExactly, kLike };
  Kind kind = Kind::kNull;
  std::string text = {};  // the bytes, or the text with placeholders

  [[nodiscard]] bool fits(const std::optional<std::string>& bytes) const;
};

struct ExpectedHeader {
  std::string name;
  ExpectedBytes value;
};

struct ExpectedRecord {
  std::string topic;
  std::optional<std::int32_t> partition;  // nullopt: the partitioner's choice
  ExpectedBytes key;
  ExpectedBytes value;
  std::vector<ExpectedHeader> headers;
  std::optional<std::int64_t> timestamp_ms;  // nullopt: a moment while the vector ran
  bool refused = false;                      // by producer or broker
};

struct Expectation {
  std::string outcome;
  std::vector<ExpectedRecord> records;
};

using TextMap = std::map<std::string, std::string>;

// A file of tests/conformance/vectors; the README there explains the members.
struct Vector {
  std::string id;
  std::vector<std::string> ddl;
  std::vector<std::vector<std::string>> statements;
  std::vector<std::string> tables;
  TextMap router;
  TextMap connector;
  TextMap converters;
  bool unstable = false;
  Expectation debezium;
  std::optional<Expectation> walpost;  // where it differs
};

// All vectors, by id. Throws std::runtime_error, with the file's name, if one cannot be read.
[[nodiscard]] std::vector<Vector> load_vectors();

}  // namespace walpost::test
