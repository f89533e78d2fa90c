#include "libpq_version.h"

#include <fmt/format.h>
#include <libpq-fe.h>

namespace walpost {

std::string libpq_version() {
  const int version = PQlibVersion();
  return fmt::format("{}.{}", version / 10000, version % 10000);
}

}  // namespace walpost
