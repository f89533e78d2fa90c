#include "walpost/router.h"

namespace walpost {

Router::Router(const RouterOptions& options)
    : topic_route_(options.route_topic_regex, options.route_topic_replacement),
      record_timestamp_(options.record_timestamp) {}

Record Router::route(const OutboxEvent& event, PgTimestamp commit_time, PgTimestamp now) {
  headers_[0] = {"id", event.id};
  const auto fallback = record_timestamp_ == RecordTimestamp::kCommit ? commit_time : now;
  return Record{
      .topic = topic_of(event.routing_text),
      .partition = std::nullopt,
      .key = event.key,
      .value = event.payload,
      .headers = headers_,
      .timestamp_ms = event.timestamp.value_or(fallback).to_unix_ms(),
      .event_id = event.id.value_or(std::string_view()),
  };
}

std::string_view Router::topic_of(std::string_view routing_text) {
  if (const auto known = topics_.find(routing_text); known != topics_.end()) return known->second;
  if (topics_.size() >= kMaxRememberedTopics) topics_.clear();
  std::string topic = topic_route_.topic(routing_text);
  return topics_.emplace(routing_text, std::move(topic)).first->second;
}

}  // namespace walpost
