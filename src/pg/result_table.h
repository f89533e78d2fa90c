#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "walpost/lsn.h"

namespace walpost {

// The rows of one statement, copied out of libpq: plain values that parsers take, so that they
// need no server in their tests. For catalog queries only, never for a stream.
struct ResultTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::optional<std::string>>> rows;  // nullopt: SQL NULL

  // nullopt for NULL. The column must exist: the query and its reader are written together.
  [[nodiscard]] const std::optional<std::string>& at(std::size_t row,
                                                     std::string_view column) const;
  // NULL reads as "", false, nullopt.
  [[nodiscard]] std::string text(std::size_t row, std::string_view column) const;
  [[nodiscard]] bool flag(std::size_t row, std::string_view column) const;
  [[nodiscard]] std::optional<std::int64_t> number(std::size_t row, std::string_view column) const;
  [[nodiscard]] std::optional<Lsn> lsn(std::size_t row, std::string_view column) const;
};

}  // namespace walpost
