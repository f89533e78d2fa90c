#include "print.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "walpost/error.h"

namespace walpost {

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(ExitCode::kUnexpected,
                std::string("standard output cannot be written: ") + std::strerror(errno));
  }
}

}  // namespace walpost
