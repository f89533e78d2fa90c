#pragma once

#include <string>
#include <vector>

#include "vector.h"

namespace walpost::test {

// The options of `walpost run` that mean what the vector's configuration means to Debezium.
[[nodiscard]] std::vector<std::string> walpost_arguments(const Vector& vector);
// Switches go by the environment, where they have a value as Debezium's do.
[[nodiscard]] std::vector<std::string> walpost_environment(const Vector& vector);

}  // namespace walpost::test
