#include "walpost/event_decoder.h"

#include <fmt/format.h>

#include <utility>

#include "walpost/byte_reader.h"
#include "walpost/check.h"
#include "walpost/error.h"

namespace walpost {
namespace {

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

// Skipped, it would be confirmed unsent.
Error row_of(const RelationCache::Renamed& renamed, Lsn lsn) {
  const std::string now = to_sql(renamed.now);
  return Error(ExitCode::kUndecodable,
               fmt::format("outbox table {} is now called {}, and the row at LSN {} was inserted "
                           "under that name",
                           to_sql(renamed.was), now, lsn.to_string()),
               fmt::format("nothing is lost: the position stays before this row. To deliver it, "
                           "start walpost with --table {} beside the other tables; to leave it "
                           "out, start walpost as before",
                           now));
}

}  // namespace

EventDecoder::Decoded EventDecoder::decode(const XLogData& message, PgTimestamp now) {
  using namespace pgoutput;
  AnyMessage decoded = pgoutput::decode(message.data);
  return std::visit(
      Overloaded{
          [&](const Insert& insert) { return on_insert(insert, message.data_start, now); },
          [&](const Begin& begin) { return on_begin(begin); },
          [&](const Commit& commit) { return on_commit(commit); },
          [&](Relation& relation) {
            const bool has_columns = mapper_.has_columns(relation);
            relations_.replace(std::move(relation), has_columns);
            return Decoded{};
          },
          [&](const Update& update) { return on_update(update, message.data_start); },
          [&](const Delete&) {
            skip("Delete");
            return Decoded{};
          },
          [&](const Truncate&) {
            skip("Truncate");
            return Decoded{};
          },
          [](const Origin&) { return Decoded{}; },
          [](const Type&) { return Decoded{}; },
          [](const Message&) { return Decoded{}; },
      },
      decoded);
}

void EventDecoder::reset() {
  relations_.clear();
  in_transaction_ = false;
}

EventDecoder::Decoded EventDecoder::on_begin(const pgoutput::Begin& begin) {
  if (in_transaction_) throw protocol_error("Begin", "type", 0, "the last transaction is open");
  in_transaction_ = true;
  position_ = {
      .lsn = {}, .commit_lsn = begin.final_lsn, .commit_time = begin.commit_time, .xid = begin.xid};
  return begin;
}

EventDecoder::Decoded EventDecoder::on_commit(const pgoutput::Commit& commit) {
  need_transaction("Commit");
  // As PostgreSQL's own apply worker checks: the two must be of one transaction.
  if (commit.commit_lsn != position_.commit_lsn) {
    constexpr std::size_t kCommitLsnOffset = 2;
    throw protocol_error("Commit", "commit_lsn", kCommitLsnOffset,
                         fmt::format("is {}, and its Begin said {}", commit.commit_lsn.to_string(),
                                     position_.commit_lsn.to_string()));
  }
  in_transaction_ = false;
  bump(stats_.transactions);
  return commit;
}

EventDecoder::Decoded EventDecoder::on_insert(const pgoutput::Insert& insert, Lsn lsn,
                                              PgTimestamp now) {
  need_transaction("Insert");
  RelationCache::OutboxTable* table = relations_.outbox_table(insert.relid);
  if (table == nullptr) {
    if (const auto* renamed = relations_.renamed(insert.relid)) throw row_of(*renamed, lsn);
    bump(stats_.skipped_changes);
    return {};
  }
  if (table->is_candidate || (!table->plan && !make_plan(*table))) {
    return NeedsRelationFacts{insert.relid};
  }
  OutboxEvent event = mapper_.map(*table->columns, insert.new_tuple, lsn);
  // Only the catalog knows whether the column has a default, which then stands in for the NULL.
  if (event.has_null && !table->facts) return NeedsRelationFacts{insert.relid};
  if (event.contradicts_facts) {
    for (ColumnFacts& column : *table->facts) column.attnotnull = false;
    (void)make_plan(*table);
    event = mapper_.map(*table->columns, insert.new_tuple, lsn);
  }
  if (event.has_infinite_timestamp) bump(stats_.timestamp_fallbacks);
  position_.lsn = lsn;
  const Record record = router_.route(*table->plan, *table->columns, event, position_, now);
  ++position_.ordinal;
  return record;
}

// False: the catalog must be asked first.
bool EventDecoder::make_plan(RelationCache::OutboxTable& table) const {
  const bool needs_facts =
      router_.needs_column_facts() || mapper_.needs_column_facts(table.relation);
  if (needs_facts && !table.facts) return false;
  table.columns =
      mapper_.plan(table.relation, table.facts ? std::span<const ColumnFacts>(*table.facts)
                                               : std::span<const ColumnFacts>());
  table.plan = router_.plan(*table.columns);
  return true;
}

void EventDecoder::learn(Oid relid, RelationFacts facts) {
  RelationCache::OutboxTable* table = relations_.outbox_table(relid);
  CHECK(table != nullptr);
  if (table->is_candidate) {
    const std::string name = to_sql({table->relation.nspname, table->relation.relname});
    if (facts.columns.empty()) {
      throw Error(
          ExitCode::kUndecodable,
          fmt::format("the stream has rows of {}, which is gone by now: whether it was a "
                      "partition of an outbox table cannot be told",
                      name),
          fmt::format("nothing is lost: the position stays before these rows. If they are "
                      "events, name the table too: --table {}; publish_via_partition_root = "
                      "true spares this",
                      name));
    }
    const TableName root{facts.root_nspname, facts.root_relname};
    relations_.settle(relid, root);
    table = relations_.outbox_table(relid);
    if (table == nullptr) return;
    log_(LogLevel::kInfo, "a partition that is published under its own name",
         {{"table", name}, {"root", to_sql(root)}});
  }
  table->facts = std::move(facts.columns);
  table->plan.reset();
}

EventDecoder::Decoded EventDecoder::on_update(const pgoutput::Update& update, Lsn lsn) {
  skip("Update");
  RelationCache::OutboxTable* table = relations_.outbox_table(update.relid);
  if (table == nullptr || table->is_candidate) return {};
  if (on_update_ == InvalidOperation::kIgnore) return {};
  const std::string name = to_sql({table->relation.nspname, table->relation.relname});
  if (on_update_ == InvalidOperation::kFatal) {
    throw Error(
        ExitCode::kUndecodable,
        fmt::format("outbox table {}: the row at LSN {} was updated, and only inserted rows "
                    "are events",
                    name, lsn.to_string()),
        "nothing is lost: the position stays before this row. "
        "--table-op-invalid-behavior=warn goes on without it");
  }
  if (table->update_was_said) return {};
  table->update_was_said = true;
  log_(on_update_ == InvalidOperation::kError ? LogLevel::kError : LogLevel::kWarn,
       "an outbox row was updated: only inserted rows are events, this and further updates are not",
       {{"table", name}, {"lsn", lsn.to_string()}});
  return {};
}

void EventDecoder::skip(std::string_view message) {
  need_transaction(message);
  bump(stats_.skipped_changes);
}

void EventDecoder::need_transaction(std::string_view message) const {
  if (!in_transaction_) throw protocol_error(message, "type", 0, "no transaction is open");
}

}  // namespace walpost
