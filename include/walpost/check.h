#pragma once

// CHECK(condition): an invariant of our own, on in every build. A failed CHECK prints where and
// why to stderr and exits with ExitCode::kUnexpected at once: unconfirmed events come again, while
// going on with a broken invariant could confirm what was never delivered.
// Never for anything a peer or an operator sends: that is an Error (error.h).

namespace walpost {

[[noreturn]] void check_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace walpost

#define CHECK(condition)                               \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::walpost::check_failed(#condition, __FILE__, __LINE__))
