#pragma once

#include <variant>
#include <vector>

#include "walpost/outbox_event.h"
#include "walpost/pgoutput.h"
#include "walpost/record.h"
#include "walpost/relation_cache.h"
#include "walpost/replication_message.h"
#include "walpost/router.h"
#include "walpost/stats.h"

namespace walpost {

// Hops 3 to 5: one XLogData → decode → map → route. Knows where in a transaction the stream is, and
// refuses messages that do not belong there.
class EventDecoder final {
 public:
  // What a message means for the pipeline. monostate: nothing (a relation, another table's row, an
  // UPDATE, DELETE or TRUNCATE: finished as soon as it is seen).
  using Decoded = std::variant<std::monostate, pgoutput::Begin, pgoutput::Commit, Record>;

  // `stats` must outlive this.
  EventDecoder(std::vector<TableName> outbox_tables, OutboxMapper mapper, Router router,
               Stats& stats)
      : relations_(std::move(outbox_tables)),
        mapper_(std::move(mapper)),
        router_(std::move(router)),
        stats_(stats) {}

  // A Record in the result is valid until the next call, and as long as `message` is.
  // `now` is for RecordTimestamp::kNow. Throws Error{kUndecodable}.
  [[nodiscard]] Decoded decode(const XLogData& message, PgTimestamp now);

  // A new connection: nothing is known of relations, and no transaction is open.
  void reset();

 private:
  [[nodiscard]] Decoded on_begin(const pgoutput::Begin& begin);
  [[nodiscard]] Decoded on_commit(const pgoutput::Commit& commit);
  [[nodiscard]] Decoded on_insert(const pgoutput::Insert& insert, Lsn lsn, PgTimestamp now);
  void skip(std::string_view message);
  void need_transaction(std::string_view message) const;

  RelationCache relations_;
  OutboxMapper mapper_;
  Router router_;
  Stats& stats_;
  bool in_transaction_ = false;
  Lsn final_lsn_;  // of the open transaction, as is the next
  PgTimestamp commit_time_;
};

}  // namespace walpost
