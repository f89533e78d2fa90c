#pragma once

#include <span>

#include "walpost/clock.h"
#include "walpost/wait.h"

namespace walpost {

// Waits in one ppoll(2) until something in `waits` is ready, one of their times or `deadline` has
// come, or a signal handler ran. Which of them is not told: every part is asked anyway.
void wait_for_any(std::span<const WaitFor> waits, TimePoint deadline, const Clock& clock);

}  // namespace walpost
