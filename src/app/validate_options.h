#pragma once

#include "options.h"

namespace walpost {

// What `run` refuses before it connects to anything, and no single option can be blamed for: no
// brokers for Kafka, a property that it refuses, a conninfo or a regex that cannot be used. Throws
// Error{kUsage}.
void validate_for_streaming(const Options& options);

}  // namespace walpost
