#include "walpost/event_decoder.h"

#include <fmt/format.h>

#include <utility>

#include "walpost/byte_reader.h"

namespace walpost {
namespace {

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

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
            relations_.replace(std::move(relation));
            return Decoded{};
          },
          [&](const Update&) {
            skip("Update");
            return Decoded{};
          },
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
  final_lsn_ = begin.final_lsn;
  commit_time_ = begin.commit_time;
  return begin;
}

EventDecoder::Decoded EventDecoder::on_commit(const pgoutput::Commit& commit) {
  need_transaction("Commit");
  // As PostgreSQL's own apply worker checks: the two must be of one transaction.
  if (commit.commit_lsn != final_lsn_) {
    constexpr std::size_t kCommitLsnOffset = 2;
    throw protocol_error("Commit", "commit_lsn", kCommitLsnOffset,
                         fmt::format("is {}, and its Begin said {}", commit.commit_lsn.to_string(),
                                     final_lsn_.to_string()));
  }
  in_transaction_ = false;
  bump(stats_.transactions);
  return commit;
}

EventDecoder::Decoded EventDecoder::on_insert(const pgoutput::Insert& insert, Lsn lsn,
                                              PgTimestamp now) {
  need_transaction("Insert");
  RelationCache::Entry& entry = relations_.at(insert.relid);
  if (!entry.is_outbox) {
    bump(stats_.skipped_changes);
    return {};
  }
  if (!entry.plan) entry.plan = mapper_.plan(*entry.relation);
  const OutboxEvent event = mapper_.map(*entry.plan, insert.new_tuple, lsn);
  if (event.has_infinite_timestamp) bump(stats_.timestamp_fallbacks);
  return router_.route(event, commit_time_, now);
}

void EventDecoder::skip(std::string_view message) {
  need_transaction(message);
  bump(stats_.skipped_changes);
}

void EventDecoder::need_transaction(std::string_view message) const {
  if (!in_transaction_) throw protocol_error(message, "type", 0, "no transaction is open");
}

}  // namespace walpost
