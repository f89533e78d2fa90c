#include "walpost/outbox_event.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "walpost/check.h"
#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

using pgoutput::ColumnValue;
using pgoutput::Relation;
using pgoutput::RelationColumn;
using pgoutput::ValueKind;
using enum ColumnSlot::Value;

Error misfit(std::string_view table, std::string_view what, std::string hint) {
  return Error(ExitCode::kUndecodable, fmt::format("outbox table {}: {}", table, what),
               std::move(hint));
}

std::optional<std::size_t> find_column(const Relation& relation, const ColumnRole& role) {
  const auto found = std::find_if(relation.columns.begin(), relation.columns.end(),
                                  [&](const auto& column) { return column.name == role.column; });
  if (found == relation.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - relation.columns.begin());
}

Error missing_column(const Relation& relation, const ColumnRole& role, std::string_view table) {
  std::vector<std::string_view> names;
  for (const auto& column : relation.columns) names.emplace_back(column.name);
  return misfit(
      table,
      fmt::format("the stream has no column {} ({}); it has: {}", quote_identifier(role.column),
                  role.option, fmt::join(names, ", ")),
      fmt::format("nothing is lost: the position stays before this row. Name the right column "
                  "with {}, or add it to the table (generated columns and columns outside the "
                  "publication's column list are not streamed)",
                  role.option));
}

// What the catalog says of a column of this name; ColumnType::make() judges whether it is the same.
const ColumnFacts* facts_of(const RelationColumn& column, std::span<const ColumnFacts> facts) {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const ColumnFacts& each) {
    return each.attname == column.name;
  });
  return found == facts.end() ? nullptr : &*found;
}

// What a domain is made of; else the type itself.
Oid base_type(const RelationColumn& column, const ColumnFacts* facts) {
  return facts_apply(column, facts) ? facts->type.oid : column.type_oid;
}

// One row on its way into an event, so that an error can say which row it is.
class RowReader {
 public:
  RowReader(const OutboxMapper::Plan& plan, Lsn lsn) : plan_(plan), lsn_(lsn) {}

  [[nodiscard]] OutboxEvent::Text text(const ColumnValue& value, std::size_t slot) const {
    switch (value.kind) {
      case ValueKind::kNull:
        return std::nullopt;
      case ValueKind::kText:
        return value.data;
      case ValueKind::kUnchangedToast:
        throw error(slot, "was not sent by the server (an unchanged out-of-line value)");
      case ValueKind::kBinary:
        throw error(slot, "came in binary form, which was not asked for");
    }
    CHECK(false);
  }

  [[nodiscard]] std::optional<std::int32_t> integer(OutboxEvent::Text text,
                                                    std::size_t slot) const {
    if (!text) return std::nullopt;
    std::int32_t value = 0;
    const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (code != std::errc() || end != text->data() + text->size()) {
      throw error(slot, "is not an integer");
    }
    return value;
  }

  [[nodiscard]] std::string parsed_text(const ColumnType& type, std::string_view text,
                                        std::size_t slot) const {
    try {
      return std::get<std::string>(type.parse(text).value);
    } catch (const ValueRefusal& refusal) {
      throw row_misfit(plan_, lsn_, plan_.options[slot], refusal);
    }
  }

  [[nodiscard]] Error error(std::size_t slot, std::string_view what) const {
    return row_misfit(plan_, lsn_, plan_.options[slot], ValueRefusal(std::string(what)));
  }

 private:
  const OutboxMapper::Plan& plan_;
  Lsn lsn_;
};

}  // namespace

Error row_misfit(const OutboxMapper::Plan& plan, Lsn lsn, std::string_view option,
                 const ValueRefusal& refusal) {
  constexpr std::string_view kGeneralHint =
      "Mend the mapping with the option named above; a row that is wrong in itself holds the line "
      "until walpost is told otherwise";
  return misfit(plan.table,
                fmt::format("the row at LSN {}: the column of {} {}", lsn.to_string(), option,
                            refusal.what()),
                fmt::format("nothing is lost: the position stays before this row. {}",
                            refusal.hint().empty() ? kGeneralHint : refusal.hint()));
}

bool OutboxMapper::has_columns(const Relation& relation) const {
  const auto roles = column_roles(columns_);
  return std::all_of(roles.begin(), roles.end(), [&](const ColumnRole& role) {
    return role.may_be_missing || find_column(relation, role);
  });
}

bool OutboxMapper::needs_column_facts(const Relation& relation) const {
  const auto roles = column_roles(columns_);
  return std::any_of(roles.begin(), roles.end(), [&](const ColumnRole& role) {
    const auto column = find_column(relation, role);
    return column && needs_facts(relation.columns[*column]);
  });
}

OutboxMapper::Plan OutboxMapper::plan(const Relation& relation,
                                      std::span<const ColumnFacts> facts) const {
  Plan plan;
  plan.table = to_sql({relation.nspname, relation.relname});
  plan.nspname = relation.nspname;
  plan.relname = relation.relname;
  plan.column_count = relation.columns.size();
  plan.types.resize(kAdditional + columns_.additional.size());
  plan.options.resize(plan.types.size());
  for (const ColumnRole& role : column_roles(columns_)) {
    plan.options[role.slot] = role.option;
    const auto index = find_column(relation, role);
    if (!index && role.may_be_missing) continue;
    if (!index) throw missing_column(relation, role, plan.table);
    const RelationColumn& column = relation.columns[*index];
    const ColumnFacts* known = facts_of(column, facts);
    auto type = ColumnType::make(column, known, modes_);
    if (!type && role.may_be_missing) continue;
    if (const auto refusal = refusal_of(role, base_type(column, known), type)) {
      throw misfit(plan.table,
                   fmt::format("column {} {} ({})", quote_identifier(column.name), refusal->what,
                               role.option),
                   refusal->hint);
    }
    plan.types[role.slot] = std::move(type);
    plan.uses.push_back({.column = *index, .slot = role.slot});
  }
  std::stable_sort(plan.uses.begin(), plan.uses.end(),
                   [](const auto& a, const auto& b) { return a.column < b.column; });
  return plan;
}

OutboxEvent OutboxMapper::map(const Plan& plan, const pgoutput::TupleData& row, Lsn lsn) {
  const RowReader reader(plan, lsn);
  if (row.column_count() != plan.column_count) {
    throw misfit(plan.table,
                 fmt::format("the row at LSN {} has {} columns, its Relation message {}",
                             lsn.to_string(), row.column_count(), plan.column_count),
                 "the server's stream contradicts itself; nothing was confirmed past it");
  }
  values_.assign(plan.types.size(), std::nullopt);
  auto column = row.begin();
  std::size_t at = 0;
  for (const auto& use : plan.uses) {
    for (; at < use.column; ++at) ++column;
    values_[use.slot] = reader.text(*column, use.slot);
  }
  OutboxEvent event;
  event.id = values_[kId];
  event.key = values_[kKey];
  event.payload = values_[kPayload];
  event.type = values_[kType];
  event.additional = std::span(values_).subspan(kAdditional);
  event.tracing_span_context = values_[kTracingSpanContext];
  event.headers_from = values_[kHeadersFrom];
  event.traceparent = values_[kTraceparent];
  event.tracestate = values_[kTracestate];
  event.baggage = values_[kBaggage];
  const auto note_null = [&](std::size_t slot) {
    if (values_[slot]) return;
    const ConnectSchema& schema = *plan.types[slot]->schema();
    event.has_null = true;
    event.contradicts_facts |= !schema.optional && !schema.default_value;
  };
  note_null(kId);
  note_null(kKey);
  note_null(kPayload);
  if (const auto text = values_[kTimestamp]) {
    const auto parsed = parse_timestamp(*text);
    if (!parsed) throw reader.error(kTimestamp, "is not a timestamp in ISO form");
    event.timestamp = parsed->time;
    event.has_infinite_timestamp = !parsed->time;
  }
  event.schema_version = reader.integer(values_[kSchemaVersion], kSchemaVersion);
  for (std::size_t i = 0; i < columns_.additional.size(); ++i) {
    const std::size_t slot = kAdditional + i;
    if (!plan.types[slot]) continue;
    if (columns_.additional[i].placement != Placement::kPartition) {
      note_null(slot);
      continue;
    }
    event.partition = reader.integer(values_[slot], slot);  // the last one wins
    if (event.partition && *event.partition < 0) throw reader.error(slot, "is negative");
  }
  if (!values_[kRouting]) {
    throw reader.error(kRouting,
                       fmt::format("is NULL, so the event {} has no topic",
                                   event.id ? *event.id : std::string_view("without id")));
  }
  event.routing_text = *values_[kRouting];
  if (const auto& type = *plan.types[kRouting]; !type.is_plain_text()) {
    routing_text_ = reader.parsed_text(type, event.routing_text, kRouting);
    event.routing_text = routing_text_;
  }
  return event;
}

}  // namespace walpost
