#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace walpost {

// A position in the write-ahead log: XLogRecPtr, an unsigned byte offset (manual: "pg_lsn Type").
// 0/0 is "no position" (InvalidXLogRecPtr); START_REPLICATION from it means "where the slot is".
class Lsn final {
 public:
  constexpr Lsn() noexcept = default;
  constexpr explicit Lsn(std::uint64_t value) noexcept : value_(value) {}

  // PostgreSQL's text form, "16/B374D848": one to eight hexadecimal digits on either side, nothing
  // around them. Anything else is nullopt.
  [[nodiscard]] static std::optional<Lsn> parse(std::string_view text) noexcept;
  [[nodiscard]] std::string to_string() const;

  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }
  [[nodiscard]] constexpr bool is_valid() const noexcept { return value_ != 0; }

  friend constexpr auto operator<=>(Lsn, Lsn) noexcept = default;

 private:
  std::uint64_t value_ = 0;
};

}  // namespace walpost
