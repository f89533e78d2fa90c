#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace walpost {

// One header of a Kafka record. A null value is a header that is present with length -1.
struct Header {
  std::string_view name;
  std::optional<std::string_view> value;
};

// One Kafka record as Router makes it. Everything is a view, valid until the source receives its
// next message or the router routes its next event; a sink copies what it keeps.
struct Record {
  std::string_view topic;
  std::optional<std::int32_t> partition;  // nullopt: by the key, as Java's producer would
  std::optional<std::string_view> key;    // nullopt: a null key; empty: a key of no bytes
  std::optional<std::string_view> value;  // nullopt: a tombstone
  std::span<const Header> headers;        // in this order
  std::int64_t timestamp_ms = 0;          // since 1970-01-01 UTC

  // The event's own id, as text for messages to the operator ("event id 7f3c…"): the value of the
  // header `id`, which is the only part of a record that may be named in a log.
  std::string_view event_id;
};

}  // namespace walpost
