#include "validate_options.h"

#include "connection.h"
#include "kafka_findings.h"
#include "kafka_properties.h"
#include "walpost/router.h"

namespace walpost {
void validate_for_streaming(const Options& options) {
  if (options.sink == SinkKind::kKafka) {
    static_cast<void>(make_producer_conf(kafka_settings_of(options), options.topic_creation));
  }
  static_cast<void>(resolve_conninfo(options.conninfo));
  static_cast<void>(Router({.route_topic_regex = options.route_topic_regex,
                            .route_topic_replacement = options.route_topic_replacement,
                            .record_timestamp = options.record_timestamp}));
}

}  // namespace walpost
