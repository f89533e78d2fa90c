#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walpost {

// tracing.span.context.field: the text of a java.util.Properties file, as OpenTelemetry's
// propagator wrote it. Its entries traceparent, tracestate and baggage (W3C Trace Context, W3C
// Baggage), in this order, as far as they are there; names are literals. Other entries belong to
// other propagators and are left out.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string>> trace_headers(
    std::string_view properties);

}  // namespace walpost
