#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "walpost/column_facts.h"
#include "walpost/ids.h"
#include "walpost/outbox_event.h"
#include "walpost/pgoutput.h"
#include "walpost/router.h"

namespace walpost {

// What the server said of each relation, replaced whenever it says it again. Rows are read through
// the latest Relation of their relid and through nothing else, the catalog least of all: it shows
// the present, the stream the past.
//
// Belongs to one connection: the server announces a relation once per connection and change.
class RelationCache final {
 public:
  // The server announces every published relation of the database it meets; a limit only so that a
  // broken one cannot fill memory. Of other tables nothing else is kept.
  static constexpr std::size_t kMaxRelations = 1'000'000;

  // What is known of an outbox table.
  struct OutboxTable {
    // Has the columns of one, and may be a partition that is published under its own name: the
    // catalog must say.
    bool is_candidate = false;
    pgoutput::Relation relation;
    // From the catalog, for an event that needs them; nullopt: not asked for.
    std::optional<std::vector<ColumnFacts>> facts;
    // How to read its rows, and how to write them; made at the first one.
    std::optional<OutboxMapper::Plan> columns;
    std::optional<Router::Plan> plan;
    bool update_was_said = false;  // that an UPDATE is no event
  };

  explicit RelationCache(std::vector<TableName> outbox_tables)
      : outbox_tables_(std::move(outbox_tables)) {}

  // `has_columns`: those that an outbox table must have. Throws Error{kUndecodable} beyond
  // kMaxRelations.
  void replace(pgoutput::Relation relation, bool has_columns);
  // Settles what a candidate is.
  void settle(Oid relid, const TableName& partition_root);
  // nullptr: another table. Throws Error{kUndecodable} for a relid that was never announced.
  [[nodiscard]] OutboxTable* outbox_table(Oid relid);

  // A table that was an outbox table when it was first announced, on whatever connection, and has
  // been renamed or moved since: its rows look like another table's, and may be events.
  struct Renamed {
    TableName was;
    TableName now;
  };
  // nullptr: `relid` is no such table.
  [[nodiscard]] const Renamed* renamed(Oid relid) const;

  // What holds for one connection.
  void clear();

 private:
  struct OidHash {
    std::size_t operator()(Oid oid) const noexcept { return oid.value; }
  };

  [[nodiscard]] bool is_outbox(std::string_view nspname, std::string_view relname) const;

  std::vector<TableName> outbox_tables_;
  std::unordered_map<Oid, std::unique_ptr<OutboxTable>, OidHash> entries_;
  std::unordered_map<Oid, Renamed, OidHash> once_outbox_;  // `now` is `was` until it is renamed
  // Rows come in runs of one table: the last answer of outbox_table().
  std::optional<Oid> last_relid_;
  OutboxTable* last_ = nullptr;
};

}  // namespace walpost
