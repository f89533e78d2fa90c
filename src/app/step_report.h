#pragma once

#include "walpost/log.h"

namespace walpost {

// For run_steps(): what was done goes to standard output, "done: CREATE …", the rest to `log`.
[[nodiscard]] Log printing_steps(const Log& log);

}  // namespace walpost
