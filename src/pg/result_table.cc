#include "result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace walpost {
namespace {

Error odd_value(std::string_view column, std::string_view kind) {
  return odd_answer(fmt::format("{} is not {}", column, kind));
}

}  // namespace

const std::optional<std::string>& ResultTable::at(std::size_t row, std::string_view column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) throw odd_answer(fmt::format("there is no column {}", column));
  const auto index = static_cast<std::size_t>(found - columns.begin());
  if (row >= rows.size() || index >= rows[row].size()) {
    throw odd_answer(fmt::format("there is no row {} with {}", row + 1, column));
  }
  return rows[row][index];
}

std::string ResultTable::text(std::size_t row, std::string_view column) const {
  return at(row, column).value_or("");
}

bool ResultTable::flag(std::size_t row, std::string_view column) const {
  const auto& value = at(row, column);
  if (value && *value != "t" && *value != "f") throw odd_value(column, "a boolean");
  return value == "t";
}

std::optional<std::int64_t> ResultTable::number(std::size_t row, std::string_view column) const {
  const auto& value = at(row, column);
  if (!value) return std::nullopt;
  std::int64_t number = 0;
  const auto* end = value->data() + value->size();
  const auto [stopped, error] = std::from_chars(value->data(), end, number);
  if (error != std::errc{} || stopped != end) throw odd_value(column, "a whole number");
  return number;
}

std::optional<Lsn> ResultTable::lsn(std::size_t row, std::string_view column) const {
  const auto& value = at(row, column);
  if (!value) return std::nullopt;
  const auto lsn = Lsn::parse(*value);
  if (!lsn) throw odd_value(column, "an LSN");
  return lsn;
}

Error odd_answer(std::string_view what) {
  return Error(ExitCode::kUndecodable,
               fmt::format("PostgreSQL's answer does not fit the question: {}", what),
               "connect to PostgreSQL 14 to 18 itself, without a pooler or proxy that answers in "
               "its place");
}

const ResultTable& result_at(std::span<const ResultTable> results, std::size_t index) {
  if (index >= results.size()) {
    throw odd_answer(fmt::format("there is no result {} of {}", index + 1, results.size()));
  }
  return results[index];
}

std::size_t ordinal_at(const ResultTable& result, std::size_t row, std::string_view column,
                       std::size_t count) {
  const auto ordinal = result.number(row, column).value_or(-1);
  if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= count) {
    throw odd_answer(fmt::format("{} is not between 0 and {}", column, count));
  }
  return static_cast<std::size_t>(ordinal);
}

}  // namespace walpost
