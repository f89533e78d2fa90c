#pragma once

#include "options.h"
#include "server_state.h"

namespace walpost {

// What the options ask of PostgreSQL: the slot, the publication, the tables and their columns.
[[nodiscard]] Wanted wanted_of(const Options& options);

}  // namespace walpost
