#include "walpost/relation_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "walpost/byte_reader.h"

namespace walpost {

void RelationCache::replace(pgoutput::Relation relation, bool has_columns) {
  const Oid relid = relation.relid;
  if (entries_.size() >= kMaxRelations && !entries_.contains(relid)) {
    throw protocol_error("Relation", "relid", 1,
                         fmt::format("more than {} relations were announced", kMaxRelations));
  }
  const TableName name{.nspname = relation.nspname, .relname = relation.relname};
  const bool is_named = is_outbox(name.nspname, name.relname);
  if (is_named) {
    once_outbox_.insert_or_assign(relid, Renamed{.was = name, .now = name});
  } else if (const auto known = once_outbox_.find(relid); known != once_outbox_.end()) {
    known->second.now = name;
  }
  std::unique_ptr<OutboxTable> table;
  if (is_named || has_columns) {
    table = std::make_unique<OutboxTable>();
    table->is_candidate = !is_named;
    table->relation = std::move(relation);
  }
  entries_.insert_or_assign(relid, std::move(table));
  last_relid_.reset();
}

void RelationCache::settle(Oid relid, const TableName& partition_root) {
  auto& table = entries_.at(relid);
  if (is_outbox(partition_root.nspname, partition_root.relname)) {
    table->is_candidate = false;
  } else {
    table.reset();
  }
  last_relid_.reset();
}

bool RelationCache::is_outbox(std::string_view nspname, std::string_view relname) const {
  return std::any_of(outbox_tables_.begin(), outbox_tables_.end(), [&](const TableName& table) {
    return table.nspname == nspname && table.relname == relname;
  });
}

RelationCache::OutboxTable* RelationCache::outbox_table(Oid relid) {
  if (last_relid_ == relid) return last_;
  const auto found = entries_.find(relid);
  if (found == entries_.end()) {
    throw protocol_error("row", "relid", 1,
                         fmt::format("{} was not announced by a Relation message", relid.value));
  }
  last_relid_ = relid;
  last_ = found->second.get();
  return last_;
}

const RelationCache::Renamed* RelationCache::renamed(Oid relid) const {
  const auto known = once_outbox_.find(relid);
  if (known == once_outbox_.end() || known->second.now == known->second.was) return nullptr;
  return &known->second;
}

void RelationCache::clear() {
  entries_.clear();
  last_relid_.reset();
}

}  // namespace walpost
