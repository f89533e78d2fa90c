#include "routing.h"

#include "random_uuid.h"

namespace walpost {

OutboxColumns outbox_columns_of(const Options& options) { return options.columns; }

RouterOptions router_options_of(const Options& options) {
  RouterOptions router = options.router;
  if (options.expand_json_payload) {
    router.expansion = options.expansion;
    router.expansion->payload_field = options.columns.event_payload;
    router.expansion->with_schema_names = router.value_format == FieldFormat::kJsonSchema;
  }
  if (options.extended_headers_enabled) router.extended_headers_run_id = random_uuid();
  return router;
}

EventDecoder make_decoder(const Options& options, Stats& stats, const Log& log) {
  const OutboxColumns columns = outbox_columns_of(options);
  const bool skips_updates = options.skipped_operations.find('u') != std::string::npos;
  return EventDecoder(
      {.outbox_tables = options.tables,
       .on_update = skips_updates ? InvalidOperation::kIgnore : options.invalid_operation},
      OutboxMapper(columns, options.value_modes), Router(router_options_of(options), columns),
      stats, log);
}

}  // namespace walpost
