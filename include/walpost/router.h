#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "walpost/outbox_event.h"
#include "walpost/record.h"
#include "walpost/topic_route.h"

namespace walpost {

// Where the record's timestamp comes from when no timestamp column gives one.
enum class RecordTimestamp {
  kCommit,  // the transaction's commit time
  kNow,     // the time of processing, Debezium's way
};

struct RouterOptions {
  std::string route_topic_regex = "(?<routedByValue>.*)";                 // route.topic.regex
  std::string route_topic_replacement = "outbox.event.${routedByValue}";  // route.topic.replacement
  RecordTimestamp record_timestamp = RecordTimestamp::kCommit;
};

// OutboxEvent → Record, by the rules of Debezium's outbox event router. Not thread-safe.
class Router final {
 public:
  // Topics are remembered by routing text, so that the regex runs once for each. Far more texts
  // than topics a broker would hold means that they are no topics: then the memory starts anew.
  static constexpr std::size_t kMaxRememberedTopics = 65'536;

  // Throws Error{kUsage} for a regex or a replacement that cannot be used.
  explicit Router(const RouterOptions& options);

  // The record views `event` and this router; valid until the next route().
  [[nodiscard]] Record route(const OutboxEvent& event, PgTimestamp commit_time, PgTimestamp now);

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };

  [[nodiscard]] std::string_view topic_of(std::string_view routing_text);

  TopicRoute topic_route_;
  RecordTimestamp record_timestamp_;
  std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> topics_;
  std::array<Header, 1> headers_;
};

}  // namespace walpost
