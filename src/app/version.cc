#include "version.h"

#include <fmt/format.h>

#include "libpq_version.h"
#include "librdkafka_version.h"

namespace walpost {

std::string version_text() {
  return fmt::format("walpost {}\nlibpq {}\nlibrdkafka {}\n", WALPOST_VERSION, libpq_version(),
                     librdkafka_version());
}

}  // namespace walpost
