#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "walpost/ids.h"
#include "walpost/outbox_event.h"
#include "walpost/pgoutput.h"

namespace walpost {

// What the server said of each relation, replaced whenever it says it again. Rows are read through
// the latest Relation of their relid and through nothing else, the catalog least of all: it shows
// the present, the stream the past.
//
// Belongs to one connection: the server announces a relation once per connection and change.
class RelationCache final {
 public:
  // The server announces every published relation of the database it meets; a limit only so that a
  // broken one cannot fill memory. Entries of other tables hold no columns.
  static constexpr std::size_t kMaxRelations = 1'000'000;

  struct Entry {
    bool is_outbox = false;
    std::optional<pgoutput::Relation> relation;  // only of outbox tables
    std::optional<OutboxMapper::Plan> plan;      // made at its first row
  };

  explicit RelationCache(std::vector<TableName> outbox_tables)
      : outbox_tables_(std::move(outbox_tables)) {}

  // Throws Error{kUndecodable} beyond kMaxRelations.
  void replace(pgoutput::Relation relation);
  // Throws Error{kUndecodable} for a relid that was never announced.
  [[nodiscard]] Entry& at(Oid relid);
  void clear();

 private:
  struct OidHash {
    std::size_t operator()(Oid oid) const noexcept { return oid.value; }
  };

  std::vector<TableName> outbox_tables_;
  std::unordered_map<Oid, Entry, OidHash> entries_;
  // Rows come in runs of one table: the last answer of at().
  Oid last_relid_;
  Entry* last_ = nullptr;
};

}  // namespace walpost
