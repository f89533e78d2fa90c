#include "wanted.h"

#include "connection.h"

namespace walpost {

Wanted wanted_of(const Options& options) {
  Wanted wanted{.slot = options.slot,
                .publication = options.publication,
                .tables = options.tables,
                .columns = {{"--table-field-event-id", options.event_id_column},
                            {"--table-field-event-key", options.event_key_column},
                            {"--table-field-event-payload", options.event_payload_column},
                            {"--route-by-field", options.route_by_field}},
                .role = options.role};
  if (!options.event_timestamp_column.empty()) {
    wanted.columns.push_back({"--table-field-event-timestamp", options.event_timestamp_column});
  }
  if (!options.conninfo.empty()) wanted.shown_dbname = conninfo_without_secrets(options.conninfo);
  return wanted;
}

}  // namespace walpost
