#pragma once

#include <variant>
#include <vector>

#include "walpost/column_facts.h"
#include "walpost/log.h"
#include "walpost/outbox_event.h"
#include "walpost/pgoutput.h"
#include "walpost/record.h"
#include "walpost/relation_cache.h"
#include "walpost/replication_message.h"
#include "walpost/router.h"
#include "walpost/stats.h"

namespace walpost {

// What an UPDATE of an outbox row means: table.op.invalid.behavior. It never is an event.
enum class InvalidOperation {
  kIgnore,  // not even said: skipped.operations has u
  kWarn,
  kError,  // said as an error
  kFatal,  // ends the process
};

struct EventDecoderOptions {
  std::vector<TableName> outbox_tables;
  InvalidOperation on_update = InvalidOperation::kWarn;
};

// Hops 3 to 5: one XLogData → decode → map → route. Knows where in a transaction the stream is, and
// refuses messages that do not belong there.
class EventDecoder final {
 public:
  // A row that cannot be routed before the catalog has said more of its relation: learn(), then
  // decode() the same message again.
  struct NeedsRelationFacts {
    Oid relid;
  };

  // What a message means for the pipeline. monostate: nothing (a relation, another table's row, an
  // UPDATE, DELETE or TRUNCATE: finished as soon as it is seen).
  using Decoded =
      std::variant<std::monostate, pgoutput::Begin, pgoutput::Commit, Record, NeedsRelationFacts>;

  // `stats` must outlive this.
  EventDecoder(EventDecoderOptions options, OutboxMapper mapper, Router router, Stats& stats,
               Log log)
      : relations_(std::move(options.outbox_tables)),
        on_update_(options.on_update),
        mapper_(std::move(mapper)),
        router_(std::move(router)),
        stats_(stats),
        log_(std::move(log)) {}

  // A Record in the result is valid until the next call, and as long as `message` is.
  // `now` is for RecordTimestamp::kNow. Throws Error{kUndecodable}.
  [[nodiscard]] Decoded decode(const XLogData& message, PgTimestamp now);

  // What the catalog says of `relid`; it holds until the next Relation message. Throws
  // Error{kUndecodable} where it cannot be told whether the row is one of an outbox table.
  void learn(Oid relid, RelationFacts facts);

  // A new connection: nothing is known of relations, and no transaction is open.
  void reset();

 private:
  [[nodiscard]] Decoded on_begin(const pgoutput::Begin& begin);
  [[nodiscard]] Decoded on_commit(const pgoutput::Commit& commit);
  [[nodiscard]] Decoded on_insert(const pgoutput::Insert& insert, Lsn lsn, PgTimestamp now);
  [[nodiscard]] bool make_plan(RelationCache::OutboxTable& table) const;
  [[nodiscard]] Decoded on_update(const pgoutput::Update& update, Lsn lsn);
  void skip(std::string_view message);
  void need_transaction(std::string_view message) const;

  RelationCache relations_;
  InvalidOperation on_update_;
  OutboxMapper mapper_;
  Router router_;
  Stats& stats_;
  Log log_;
  bool in_transaction_ = false;
  EventPosition position_;  // of the event to come in the open transaction
};

}  // namespace walpost
