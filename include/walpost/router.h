#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "walpost/field_encoder.h"
#include "walpost/ids.h"
#include "walpost/json_expansion.h"
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

  FieldFormat key_format = FieldFormat::kRaw;
  FieldFormat value_format = FieldFormat::kRaw;
  FieldFormat header_format = FieldFormat::kSimple;

  bool tombstone_on_empty_payload = false;  // route.tombstone.on.empty.payload
  std::optional<JsonExpansion> expansion;   // table.expand.json.payload

  std::string topic_prefix;  // topic.prefix: the first part of an envelope's schema name
  // extended.headers.enabled: the run's id, a random UUID; nullopt: no such headers.
  std::optional<std::string> extended_headers_run_id;
  bool position_headers = false;
};

// Where an event stands in the stream.
struct EventPosition {
  Lsn lsn;         // of the row, for messages
  Lsn commit_lsn;  // of its transaction, as are the next
  PgTimestamp commit_time;
  Xid xid;
  std::uint64_t ordinal = 0;  // of the event in its transaction, from 0
};

// OutboxEvent → Record, by the rules of Debezium's outbox event router. Not thread-safe.
class Router final {
 public:
  // Topics are remembered by routing text, so that the regex runs once for each. Far more texts
  // than topics a broker would hold means that they are no topics: then the memory starts anew.
  static constexpr std::size_t kMaxRememberedTopics = 65'536;

  // How to write the events that follow one Relation message.
  struct Plan {
    struct Field {
      std::string name;       // of the header or the envelope's member
      std::size_t index = 0;  // into OutboxEvent::additional
      FieldEncoder encoder;
    };
    FieldEncoder id;
    FieldEncoder key;
    FieldEncoder payload;
    std::vector<Field> headers;
    std::vector<Field> envelope;
    std::string row_schema_prefix;  // "srv.public.outbox."
  };

  // Throws Error{kUsage} for a regex or a replacement that cannot be used.
  Router(const RouterOptions& options, const OutboxColumns& columns);

  // True if the formats need what the catalog says of every column.
  [[nodiscard]] bool needs_column_facts() const noexcept;

  [[nodiscard]] Plan plan(const OutboxMapper::Plan& columns) const;

  // The record views `event`, `plan` and this router; valid until the next route(). Throws
  // Error{kUndecodable} where the row has a value that cannot be written.
  [[nodiscard]] Record route(const Plan& plan, const OutboxMapper::Plan& columns,
                             const OutboxEvent& event, const EventPosition& position,
                             PgTimestamp now);

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };
  [[nodiscard]] std::string_view topic_of(std::string_view routing_text);
  [[nodiscard]] std::optional<std::string_view> value_of(const Plan& plan,
                                                         const OutboxEvent& event);
  [[nodiscard]] std::string_view envelope(const Plan& plan, const OutboxEvent& event,
                                          const std::optional<ExpandedJson>& expanded);
  void append_envelope_with_schema(const Plan& plan, const OutboxEvent& event,
                                   const std::optional<ExpandedJson>& expanded);
  void fill_headers(const Plan& plan, const OutboxEvent& event, const EventPosition& position);
  void add_position_headers(const EventPosition& position);
  std::string& next_buffer();

  RouterOptions options_;
  OutboxColumns columns_;
  TopicRoute topic_route_;
  bool has_envelope_;
  // Whose value is being written, for the error when it cannot be: an option, and below it a column
  // of
  // --table-fields-additional-placement.
  std::string_view writing_;
  const AdditionalField* writing_field_ = nullptr;
  std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> topics_;
  std::vector<Header> headers_;
  std::deque<std::string> header_buffers_;  // kept from event to event
  std::size_t buffers_used_ = 0;
  std::string key_buffer_;
  std::string value_buffer_;
};

}  // namespace walpost
