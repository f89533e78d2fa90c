#include "walpost/check.h"

#include <cstdio>
#include <cstdlib>

#include "walpost/error.h"

namespace walpost {

void check_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr,
               "walpost: internal error: CHECK(%s) failed at %s:%d; nothing was confirmed "
               "beyond what is acknowledged. Please report this line.\n",
               condition, file, line);
  std::fflush(stderr);
  std::_Exit(static_cast<int>(ExitCode::kUnexpected));
}

}  // namespace walpost
