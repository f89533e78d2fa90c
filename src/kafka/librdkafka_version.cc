#include "librdkafka_version.h"

#include <librdkafka/rdkafka.h>

namespace walpost {

std::string librdkafka_version() { return rd_kafka_version_str(); }

}  // namespace walpost
