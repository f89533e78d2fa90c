#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "findings.h"
#include "server_state.h"

namespace walpost {

struct SetupOptions {
  bool create_table = false;   // Debezium's default outbox table, where a wanted table is missing
  bool slot_failover = false;  // 17+: the slot is kept on standbys
};

enum class StepKind {
  kDefinition,  // DDL; all in one would do, one by one says better what failed
  kSlot,        // waits for every transaction that is open; must stand in a transaction of its own
};

struct Step {
  StepKind kind = StepKind::kDefinition;
  std::string sql;  // one statement, without a semicolon at its end
  std::string why;
};

struct SetupPlan {
  std::vector<Step> steps;         // in this order; empty: everything is there already
  std::vector<Finding> obstacles;  // what keeps this role or server from doing it: errors
};

// What is missing for `wanted` (role: Wanted::role), publication before slot (a slot sees only
// what the catalog held when it was made).
[[nodiscard]] SetupPlan plan_setup(const ServerState& state, const Wanted& wanted,
                                   const SetupOptions& options);

// Of a server that has everything but the slot: it looks as if there had been one, and then rows
// are missing that a new one will not send. nullopt: the slot is there, or not only it is missing.
[[nodiscard]] std::optional<Finding> missing_slot_warning(const ServerState& state,
                                                          const Wanted& wanted);

// SQL that waits for nothing but says whom a backend waits for: one row per blocker with the
// columns pid, user_name, application_name, state, transaction_age_s.
[[nodiscard]] std::string slot_blockers_sql(std::int64_t backend_pid);
// "creating the slot waits for transactions that were open before it: PID 4711 (…), …".
[[nodiscard]] std::string slot_blockers_text(const ResultTable& blockers, StepKind kind);

// The step as it is sent. A backend that waits looks whether its client is still there: it would
// else go on waiting without one, and leave a slot that holds WAL and nobody streams.
[[nodiscard]] std::string guarded_sql(const Step& step);

// The `walpost setup …` line that creates what is missing, as hints print it.
[[nodiscard]] std::string setup_command(const Wanted& wanted, const SetupOptions& options = {});

struct TeardownPlan {
  std::vector<Step> steps;          // slot, then publication; the table is never touched
  std::vector<std::string> losses;  // what is lost by it, one sentence each
  std::vector<Finding> obstacles;   // the slot is active, of another database, …
};
[[nodiscard]] TeardownPlan plan_teardown(const ServerState& state, const Wanted& wanted);

}  // namespace walpost
