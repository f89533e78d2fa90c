#pragma once

#include "options.h"
#include "walpost/log.h"

namespace walpost {

// A Log that writes to the descriptor, lines below `level` left out: one write(2) a line. kAuto is
// text on a terminal, else JSON. On a terminal a line takes the place of the live progress line.
// Never waits: a line that the descriptor does not take at once is dropped, and their number is
// logged once it takes again.
[[nodiscard]] Log make_log(LogFormat format, LogLevel level, int fd);

}  // namespace walpost
