#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "connection.h"
#include "second_connection.h"
#include "server_state.h"
#include "slot_changes.h"
#include "slot_status.h"
#include "walpost/backoff.h"
#include "walpost/clock.h"
#include "walpost/log.h"
#include "walpost/wait.h"

namespace walpost {

struct SlotWatchOptions {
  std::string conninfo;
  Wanted wanted;
  // Where the stream is connected: the watch goes there too, and resolves no name while the stream
  // runs. nullopt: not known yet.
  std::function<std::optional<Endpoint>()> endpoint;
  std::optional<std::uint64_t> max_slot_lag_bytes;  // --max-slot-lag
};

// Reads the slot's status again and again over a second, ordinary connection, which the same loop
// drives without blocking. What goes wrong here never disturbs the stream: it is logged once, and
// tried again. One thread.
class SlotWatch final {
 public:
  // `clock` must outlive it.
  SlotWatch(SlotWatchOptions options, const Clock& clock, Log log);

  // Goes on with what is under way, never throws an Error. True: status() was read anew.
  bool poll();

  // The last reading; nullopt while there is none, because the first has not come yet or the
  // connection is lost: unknown, which is not zero. unpublished_tables is up to a minute older.
  [[nodiscard]] const std::optional<SlotStatus>& status() const noexcept { return status_; }

  [[nodiscard]] WaitFor wait_for() const { return connection_.wait_for(); }

 private:
  void ask();
  void take(SlotStatus status);
  void fail(const Error& error);

  SlotWatchOptions options_;
  const Clock& clock_;
  Log log_;
  Backoff backoff_;
  SecondConnection connection_;
  TimePoint next_tables_;  // when the tables are looked up again
  std::optional<SlotStatus> status_;
  bool is_new_ = false;
  std::string logged_error_;  // the last one, while it lasts
  SlotChanges changes_;
};

}  // namespace walpost
