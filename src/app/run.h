#pragma once

#include "options.h"
#include "walpost/error.h"
#include "walpost/log.h"

namespace walpost {

// `walpost run`: streams until told to stop, or until --endpos. Throws the Error that ends it.
[[nodiscard]] ExitCode run(const Options& options, const Log& log);

}  // namespace walpost
