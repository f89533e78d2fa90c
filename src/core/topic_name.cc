#include "walpost/topic_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace walpost {
namespace {

// Kafka's Topic.MAX_NAME_LENGTH: a partition's directory is named after it, and file names end at
// 255.
constexpr std::size_t kMaxTopicNameLength = 249;

constexpr bool is_topic_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

}  // namespace

bool is_valid_topic_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= kMaxTopicNameLength && name != "." && name != ".." &&
         std::all_of(name.begin(), name.end(), is_topic_character);
}

std::optional<std::string> topic_name_fault(std::string_view name) {
  if (is_valid_topic_name(name)) {
    return std::nullopt;
  }
  if (name.empty()) {
    return "is empty";
  }
  if (name == "." || name == "..") {
    return fmt::format("is \"{}\", which Kafka does not allow", name);
  }
  const auto bad = std::find_if_not(name.begin(), name.end(), is_topic_character);
  if (bad != name.end()) {
    return fmt::format(
        "holds a byte 0x{:02x} at offset {}; Kafka allows letters, digits and \".\", \"_\", \"-\"",
        static_cast<unsigned char>(*bad), bad - name.begin());
  }
  return fmt::format("has {} characters; Kafka allows {}", name.size(), kMaxTopicNameLength);
}

}  // namespace walpost
