#include "result_table.h"

#include <algorithm>
#include <charconv>

#include "walpost/check.h"

namespace walpost {

const std::optional<std::string>& ResultTable::at(std::size_t row, std::string_view column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  CHECK(found != columns.end());
  CHECK(row < rows.size());
  return rows[row][static_cast<std::size_t>(found - columns.begin())];
}

std::string ResultTable::text(std::size_t row, std::string_view column) const {
  return at(row, column).value_or("");
}

bool ResultTable::flag(std::size_t row, std::string_view column) const {
  return at(row, column) == "t";
}

std::optional<std::int64_t> ResultTable::number(std::size_t row, std::string_view column) const {
  const auto& value = at(row, column);
  if (!value) return std::nullopt;
  std::int64_t number = 0;
  const auto* end = value->data() + value->size();
  const auto [stopped, error] = std::from_chars(value->data(), end, number);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

std::optional<Lsn> ResultTable::lsn(std::size_t row, std::string_view column) const {
  const auto& value = at(row, column);
  return value ? Lsn::parse(*value) : std::nullopt;
}

}  // namespace walpost
