#pragma once

#include "options.h"
#include "walpost/event_decoder.h"

namespace walpost {

// What the options ask of mapper, router and decoder.
[[nodiscard]] OutboxColumns outbox_columns_of(const Options& options);
[[nodiscard]] RouterOptions router_options_of(const Options& options);

// Throws Error{kUsage} for options that cannot be used together or at all. `stats` must outlive it.
[[nodiscard]] EventDecoder make_decoder(const Options& options, Stats& stats, const Log& log);

}  // namespace walpost
