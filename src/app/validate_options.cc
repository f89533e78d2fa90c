#include "validate_options.h"

#include "connection.h"
#include "kafka_findings.h"
#include "kafka_properties.h"
#include "routing.h"

namespace walpost {

void validate_for_streaming(const Options& options) {
  if (options.sink == SinkKind::kKafka) {
    static_cast<void>(make_producer_conf(kafka_settings_of(options), options.topic_creation));
  }
  static_cast<void>(resolve_conninfo(options.conninfo));
  Stats stats;
  static_cast<void>(make_decoder(options, stats, [](auto&&...) {}));
}

}  // namespace walpost
