#pragma once

#include "options.h"
#include "walpost/log.h"

namespace walpost {

// The commands that ask, act and end. Each returns the process's exit code, prints its result to
// standard output, and throws Error for what keeps it from its work.

// Creates what is missing, or with --print-sql shows it; safe to repeat.
[[nodiscard]] int setup(const Options& options, const Log& log);
// Lists all that run would refuse: 0, or ExitCode::kPostgresSetup when there is an error.
[[nodiscard]] int check(const Options& options);
// Where the slot stands: 0 ok, 1 warning, 2 critical, 3 unknown.
[[nodiscard]] int status(const Options& options);
// Drops slot and publication once the loss is agreed to.
[[nodiscard]] int teardown(const Options& options, const Log& log);

}  // namespace walpost
