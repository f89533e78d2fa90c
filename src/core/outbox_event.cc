#include "walpost/outbox_event.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "walpost/check.h"
#include "walpost/error.h"
#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

using pgoutput::ColumnValue;
using pgoutput::ValueKind;

enum Role : std::uint8_t {
  kId = 1,
  kKey = 2,
  kPayload = 4,
  kRouting = 8,
  kTimestamp = 16,
};

// pg_type.dat
constexpr Oid kByteaOid{17};
constexpr Oid kTimestampOid{1114};
constexpr Oid kTimestamptzOid{1184};

Error misfit(std::string_view table, std::string_view what, std::string hint) {
  return Error(ExitCode::kUndecodable, fmt::format("outbox table {}: {}", table, what),
               std::move(hint));
}

std::size_t find_column(const pgoutput::Relation& relation, const std::string& name,
                        std::string_view option, std::string_view table) {
  const auto found = std::find_if(relation.columns.begin(), relation.columns.end(),
                                  [&](const auto& column) { return column.name == name; });
  if (found != relation.columns.end()) {
    return static_cast<std::size_t>(found - relation.columns.begin());
  }
  std::vector<std::string_view> names;
  for (const auto& column : relation.columns) names.emplace_back(column.name);
  throw misfit(
      table,
      fmt::format("the stream has no column {} ({}); it has: {}", quote_identifier(name), option,
                  fmt::join(names, ", ")),
      fmt::format("nothing is lost: the position stays before this row. Name the right column "
                  "with {}, or add it to the table (generated columns and columns outside the "
                  "publication's column list are not streamed)",
                  option));
}

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// bytea's text form under bytea_output=hex: \x and pairs of lower-case digits.
bool decode_bytea(std::string_view text, std::string& bytes) {
  if (!text.starts_with("\\x") || text.size() % 2 != 0) return false;
  bytes.resize(text.size() / 2 - 1);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(text[2 + 2 * i]);
    const int low = hex_digit(text[3 + 2 * i]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<char>(high * 16 + low);
  }
  return true;
}

// One row on its way into an event, so that an error can say which row it is.
class RowReader {
 public:
  RowReader(std::string_view table, Lsn lsn) : table_(table), lsn_(lsn) {}

  [[nodiscard]] std::optional<std::string_view> text(const ColumnValue& value,
                                                     std::string_view option) const {
    switch (value.kind) {
      case ValueKind::kNull:
        return std::nullopt;
      case ValueKind::kText:
        return value.data;
      case ValueKind::kUnchangedToast:
        throw error(option, "was not sent by the server (an unchanged out-of-line value)");
      case ValueKind::kBinary:
        throw error(option, "came in binary form, which was not asked for");
    }
    CHECK(false);
  }

  [[nodiscard]] std::optional<std::string_view> bytes(std::optional<std::string_view> text,
                                                      bool is_bytea, std::string_view option,
                                                      std::string& buffer) const {
    if (!text || !is_bytea) return text;
    if (!decode_bytea(*text, buffer)) throw error(option, "is not bytea in hex form");
    return buffer;
  }

  [[nodiscard]] Error error(std::string_view option, std::string_view what) const {
    return misfit(
        table_,
        fmt::format("the row at LSN {}: the column of {} {}", lsn_.to_string(), option, what),
        "nothing is lost: the position stays before this row. Mend the mapping with the "
        "option named above; a row that is wrong in itself holds the line until "
        "walpost is told otherwise");
  }

 private:
  std::string_view table_;
  Lsn lsn_;
};

}  // namespace

std::string to_sql(const TableName& table) {
  return quote_identifier(table.nspname) + "." + quote_identifier(table.relname);
}

OutboxMapper::Plan OutboxMapper::plan(const pgoutput::Relation& relation) const {
  Plan plan;
  plan.table = to_sql({relation.nspname, relation.relname});
  plan.roles.resize(relation.columns.size());
  plan.bytea.resize(relation.columns.size());
  const auto assign = [&](Role role, const std::string& name, std::string_view option) {
    const auto column = find_column(relation, name, option, plan.table);
    plan.roles[column] = static_cast<std::uint8_t>(plan.roles[column] | role);
    plan.bytea[column] = relation.columns[column].type_oid == kByteaOid;
    if (plan.bytea[column] && (role == kId || role == kRouting)) {
      throw misfit(
          plan.table,
          fmt::format("column {} is bytea, which {} cannot be", quote_identifier(name), option),
          fmt::format("name a column of a textual type with {}", option));
    }
    return column;
  };
  std::size_t last = assign(kId, columns_.event_id, "--table-field-event-id");
  last = std::max(last, assign(kKey, columns_.event_key, "--table-field-event-key"));
  last = std::max(last, assign(kPayload, columns_.event_payload, "--table-field-event-payload"));
  last = std::max(last, assign(kRouting, columns_.route_by_field, "--route-by-field"));
  if (columns_.event_timestamp) {
    constexpr std::string_view kOption = "--table-field-event-timestamp";
    const auto column = assign(kTimestamp, *columns_.event_timestamp, kOption);
    const Oid type = relation.columns[column].type_oid;
    if (type != kTimestampOid && type != kTimestamptzOid) {
      throw misfit(plan.table,
                   fmt::format("column {} is neither timestamp nor timestamptz",
                               quote_identifier(*columns_.event_timestamp)),
                   fmt::format("name a timestamp column with {}, or leave it out to use the time "
                               "of the commit",
                               kOption));
    }
    last = std::max(last, column);
  }
  plan.roles.resize(last + 1);
  return plan;
}

OutboxEvent OutboxMapper::map(const Plan& plan, const pgoutput::TupleData& row, Lsn lsn) {
  const RowReader reader(plan.table, lsn);
  if (row.column_count() != plan.bytea.size()) {
    throw misfit(plan.table,
                 fmt::format("the row at LSN {} has {} columns, its Relation message {}",
                             lsn.to_string(), row.column_count(), plan.bytea.size()),
                 "the server's stream contradicts itself; nothing was confirmed past it");
  }
  OutboxEvent event;
  std::optional<std::string_view> routing_text;
  auto column = row.begin();
  for (std::size_t i = 0; i < plan.roles.size(); ++i, ++column) {
    const std::uint8_t roles = plan.roles[i];
    if (roles == 0) continue;
    const ColumnValue value = *column;
    if (roles & kId) event.id = reader.text(value, "--table-field-event-id");
    if (roles & kKey) {
      constexpr std::string_view kOption = "--table-field-event-key";
      event.key = reader.bytes(reader.text(value, kOption), plan.bytea[i], kOption, key_bytes_);
    }
    if (roles & kPayload) {
      constexpr std::string_view kOption = "--table-field-event-payload";
      event.payload =
          reader.bytes(reader.text(value, kOption), plan.bytea[i], kOption, payload_bytes_);
    }
    if (roles & kRouting) routing_text = reader.text(value, "--route-by-field");
    if (roles & kTimestamp) {
      constexpr std::string_view kOption = "--table-field-event-timestamp";
      if (const auto text = reader.text(value, kOption)) {
        const auto parsed = parse_timestamp(*text);
        if (!parsed) throw reader.error(kOption, "is not a timestamp in ISO form");
        event.timestamp = parsed->time;
        event.has_infinite_timestamp = !parsed->time;
      }
    }
  }
  if (!routing_text) {
    throw reader.error("--route-by-field",
                       fmt::format("is NULL, so the event {} has no topic",
                                   event.id ? *event.id : std::string_view("without id")));
  }
  event.routing_text = *routing_text;
  return event;
}

}  // namespace walpost
