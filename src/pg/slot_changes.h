#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server_state.h"
#include "slot_status.h"
#include "walpost/log.h"

namespace walpost {

// Logs what changed from one reading of the slot to the next: a state when it begins and when it
// ends, never in between. One thread.
class SlotChanges final {
 public:
  // `max_slot_lag_bytes`: --max-slot-lag; nullopt: no lag is too much.
  SlotChanges(Wanted wanted, std::optional<std::uint64_t> max_slot_lag_bytes, Log log);

  void take(const SlotStatus& status);

 private:
  void take_wal_status(const std::string& wal_status);
  void take_lag(std::int64_t lag_bytes);
  void take_unpublished(const std::vector<TableName>& tables);

  Wanted wanted_;
  std::optional<std::uint64_t> max_slot_lag_bytes_;
  Log log_;
  // What was logged last.
  std::string wal_status_;
  bool is_beyond_max_lag_ = false;
  std::string unpublished_;
};

}  // namespace walpost
