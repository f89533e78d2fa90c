#pragma once

#include <compare>
#include <cstdint>

namespace walpost {

// PostgreSQL's TransactionId; wraps around, so it is a name and not an order.
struct Xid {
  std::uint32_t value = 0;
  friend constexpr bool operator==(Xid, Xid) noexcept = default;
};

// PostgreSQL's object identifier.
struct Oid {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(Oid, Oid) noexcept = default;
};

// Names one received transaction while records of it are on their way, over reconnects too: it
// grows for the life of the process. Each record carries the ticket of its transaction to the sink,
// and the sink's report brings it back.
struct Ticket {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(Ticket, Ticket) noexcept = default;
};

}  // namespace walpost
