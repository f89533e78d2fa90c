#pragma once

#include <gtest/gtest.h>

#include "walpost/error.h"

namespace walpost {

// The Error that `call` throws; a failure of the test, and an error without a text, if it returns.
template <typename Call>
[[nodiscard]] Error thrown(Call&& call) {
  try {
    (void)call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return Error(ExitCode::kOk, "");
}

}  // namespace walpost
