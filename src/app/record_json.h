#pragma once

#include <string>

#include "walpost/record.h"

namespace walpost {

// Appends `record` to `line` as one JSON object and a line feed:
//
//   {"topic":"t","partition":3,"key":"k","headers":[{"name":"id","value":"7"}],
//    "timestamp":1700000000000,"value":"…"}
//
// `partition` only where the record names one. `headers` is an array, since names may repeat and
// their order counts. Text is text when it is valid UTF-8, {"base64":"…"} (RFC 4648, padded) when
// it is not, null when there is none. `timestamp` is in milliseconds since 1970-01-01 UTC.
void append_json_line(const Record& record, std::string& line);

}  // namespace walpost
