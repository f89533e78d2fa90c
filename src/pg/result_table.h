#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "walpost/error.h"
#include "walpost/lsn.h"

namespace walpost {

// The rows of one statement, copied out of libpq: plain values that parsers take, so that they
// need no server in their tests. For catalog queries only, never for a stream.
//
// What the peer answered is the peer's: a column or row that is not there, or a value that is not
// of its kind, throws odd_answer() with the column's name.
struct ResultTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::optional<std::string>>> rows;  // nullopt: SQL NULL

  // nullopt for NULL.
  [[nodiscard]] const std::optional<std::string>& at(std::size_t row,
                                                     std::string_view column) const;
  // NULL reads as "", false, nullopt.
  [[nodiscard]] std::string text(std::size_t row, std::string_view column) const;
  [[nodiscard]] bool flag(std::size_t row, std::string_view column) const;
  [[nodiscard]] std::optional<std::int64_t> number(std::size_t row, std::string_view column) const;
  [[nodiscard]] std::optional<Lsn> lsn(std::size_t row, std::string_view column) const;
};

// Error{kUndecodable}: PostgreSQL, or what stands in its place, answers another question than ours.
[[nodiscard]] Error odd_answer(std::string_view what);

// The result of one statement out of `results`; throws odd_answer() when there is none.
[[nodiscard]] const ResultTable& result_at(std::span<const ResultTable> results, std::size_t index);
// The value of `column`, an ordinal that our query gave to the server: below `count`.
[[nodiscard]] std::size_t ordinal_at(const ResultTable& result, std::size_t row,
                                     std::string_view column, std::size_t count);

}  // namespace walpost
