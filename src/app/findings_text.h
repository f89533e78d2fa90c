#pragma once

#include <span>
#include <string>

#include "findings.h"

namespace walpost {

// What `walpost check` prints: each finding with its reason and what mends it, and a last line that
// sums up.
[[nodiscard]] std::string findings_text(std::span<const Finding> findings);
// {"ok":false,"findings":[{"severity":"error","what":"…","why":"…","mend":"…"}]}
[[nodiscard]] std::string findings_json(std::span<const Finding> findings);

[[nodiscard]] bool has_errors(std::span<const Finding> findings) noexcept;

}  // namespace walpost
