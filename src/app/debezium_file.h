#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walpost {

// The configuration of one Kafka Connect connector, as names and texts. Each name is there once.
using DebeziumSettings = std::vector<std::pair<std::string, std::string>>;

// Reads a connector's file: the body of a request to Kafka Connect, {"name": …, "config": {…}} or
// the map alone, or a standalone worker's .properties. Of a name that is there twice the last value
// counts, as in Java. Numbers, true and false count as their texts. Throws Error{kUsage} that names
// `path` and never repeats a value.
[[nodiscard]] DebeziumSettings read_debezium_file(const std::string& path);
// The same for a text.
[[nodiscard]] DebeziumSettings parse_debezium_file(std::string_view text, const std::string& path);

}  // namespace walpost
