#include "debezium_table.h"

#include <array>
#include <cstddef>

#include "debezium_connect_rows.h"
#include "debezium_connector_rows.h"
#include "debezium_router_rows.h"

namespace walpost {
namespace {

template <std::size_t... sizes>
constexpr auto joined(const std::array<DebeziumRow, sizes>&... parts) {
  std::array<DebeziumRow, (sizes + ...)> table{};
  std::size_t next = 0;
  const auto append = [&](const auto& part) {
    for (const DebeziumRow& row : part) table[next++] = row;
  };
  (append(parts), ...);
  return table;
}

constexpr auto kTable =
    joined(debezium_rows::kConnection, debezium_rows::kStream, debezium_rows::kRouter,
           debezium_rows::kColumns, debezium_rows::kConverters, debezium_rows::kProducer,
           debezium_rows::kTopics, debezium_rows::kSnapshot, debezium_rows::kOperation,
           debezium_rows::kConnect);

constexpr std::array kDefaults{
    DebeziumDefault{"slot.name", "debezium"},
    DebeziumDefault{"publication.name", "dbz_publication"},
    DebeziumDefault{"extended.headers.enabled", "true"},
};

bool fits(const DebeziumRow& row, std::string_view name) noexcept {
  if (!row.name.ends_with('*')) return row.name == name;
  return name.starts_with(row.name.substr(0, row.name.size() - 1));
}

}  // namespace

std::span<const DebeziumRow> debezium_table() noexcept { return kTable; }

std::span<const DebeziumDefault> debezium_defaults() noexcept { return kDefaults; }

const DebeziumRow* find_debezium_row(DebeziumScope scope, std::string_view name) noexcept {
  const DebeziumRow* best = nullptr;
  for (const DebeziumRow& row : kTable) {
    if (row.scope != scope || !fits(row, name)) continue;
    if (best == nullptr || row.name.size() > best->name.size() || row.name == name) best = &row;
  }
  return best;
}

}  // namespace walpost
