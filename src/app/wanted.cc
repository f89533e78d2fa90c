#include "wanted.h"

#include "connection.h"
#include "routing.h"

namespace walpost {

Wanted wanted_of(const Options& options) {
  Wanted wanted{.slot = options.slot,
                .publication = options.publication,
                .tables = options.tables,
                .columns = {},
                .value_modes = options.value_modes,
                .role = options.role};
  const OutboxColumns columns = outbox_columns_of(options);
  for (const ColumnRole& role : column_roles(columns)) {
    wanted.columns.push_back({.option = std::string(role.option),
                              .column = std::string(role.column),
                              .need = role.need,
                              .may_be_missing = role.may_be_missing});
  }
  if (!options.conninfo.empty()) wanted.shown_dbname = conninfo_without_secrets(options.conninfo);
  return wanted;
}

}  // namespace walpost
