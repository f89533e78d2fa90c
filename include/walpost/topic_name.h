#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace walpost {

// Kafka's rule for the name of a topic: 1 to 249 characters of [a-zA-Z0-9._-], and neither "." nor
// "..". librdkafka produces to names that break it and leaves the refusal to the broker, so the
// check is ours to make.
//
// nullopt: valid. Otherwise why not, as the end of a sentence ("holds a byte 0x20 at offset 6; …").
[[nodiscard]] std::optional<std::string> topic_name_fault(std::string_view name);

[[nodiscard]] bool is_valid_topic_name(std::string_view name) noexcept;

}  // namespace walpost
