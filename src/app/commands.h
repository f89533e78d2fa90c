#pragma once

#include <span>

#include "debezium_config.h"
#include "options.h"
#include "walpost/log.h"

namespace walpost {

// The commands that ask, act and end. Each returns the process's exit code, prints its result to
// standard output, and throws Error for what keeps it from its work.

// Creates what is missing, or with --print-sql shows it; safe to repeat.
[[nodiscard]] int setup(const Options& options, const Log& log);
// Lists all that run would refuse: 0, or ExitCode::kPostgresSetup when there is an error.
// `debezium_entries` are those of --debezium-config.
[[nodiscard]] int check(const Options& options, std::span<const DebeziumEntry> debezium_entries);
// Where the slot stands: 0 ok, 1 warning, 2 critical, 3 unknown.
[[nodiscard]] int status(const Options& options);
// Drops slot and publication once the loss is agreed to.
[[nodiscard]] int teardown(const Options& options, const Log& log);

}  // namespace walpost
