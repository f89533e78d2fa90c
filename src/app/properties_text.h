#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walpost {

// Reads what java.util.Properties.load(InputStream) reads, as Kafka Connect does for a connector's
// file: one entry a logical line, "#" and "!" begin comments, a backslash escapes the next
// character and joins lines, bytes are Latin-1. The result is UTF-8, in the order of the file; a
// key that is there twice is there twice. Throws std::invalid_argument where Java refuses the text:
// \u without four hexadecimal digits, or half a surrogate pair.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> parse_properties(
    std::string_view text);

}  // namespace walpost
