#pragma once

#include "options.h"
#include "server_state.h"
#include "walpost/outbox_event.h"
#include "walpost/router.h"

namespace walpost {

// The options as each layer takes them.
[[nodiscard]] Wanted wanted_of(const Options& options);
[[nodiscard]] OutboxColumns outbox_columns_of(const Options& options);
[[nodiscard]] RouterOptions router_options_of(const Options& options);

// What no single option can be blamed for. Throws Error{kUsage} for what `run` would refuse before
// it connects to anything: no brokers for Kafka, a conninfo or a regex that cannot be used.
void validate_for_streaming(const Options& options);

}  // namespace walpost
