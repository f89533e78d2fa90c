#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace walpost::test {

// Deadline of a wait that nothing but a fault can make long: generous, since a loaded machine is
// no fault.
inline constexpr std::chrono::seconds kPatience{60};

// Returns once `condition` holds; asks about every 5 ms. Throws std::runtime_error that names
// `what` when `limit` has passed.
void poll_until(const std::string& what, std::chrono::milliseconds limit,
                const std::function<bool()>& condition);

}  // namespace walpost::test
