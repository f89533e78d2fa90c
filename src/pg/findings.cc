#include "findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quoting.h"
#include "setup_plan.h"
#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

constexpr int kOldestVersion = 140000;
constexpr int kNewestTestedMajor = 18;
constexpr int kVersionWithDecodingOnStandby = 160000;
constexpr int kVersionWithGeneratedColumns = 180000;

bool is_loopback(std::string_view host) {
  return host.empty() || host.starts_with('/') || host.starts_with('@') || host == "localhost" ||
         host.starts_with("127.") || host == "::1";
}

class Examination final {
 public:
  Examination(const ServerState& state, const Wanted& wanted)
      : state_(state),
        wanted_(wanted),
        slot_(quote_identifier(wanted.slot)),
        publication_(quote_identifier(wanted.publication)) {}

  std::vector<Finding> findings() && {
    examine_server();
    for (const auto& table : state_.tables) {
      if (!table.exists) missing_table(table);
    }
    if (state_.publication) {
      examine_publication();
    } else {
      missing_publication();
    }
    for (const auto& table : state_.tables) {
      if (table.exists) examine_table(table);
    }
    if (state_.slot) {
      examine_slot(*state_.slot);
    } else {
      missing_slot();
    }
    examine_disk_and_wire();
    std::stable_sort(findings_.begin(), findings_.end(),
                     [](const auto& a, const auto& b) { return a.severity < b.severity; });
    return std::move(findings_);
  }

 private:
  void add(Severity severity, std::string what, std::string why, std::string mend = {}) {
    findings_.push_back({.severity = severity,
                         .what = std::move(what),
                         .why = std::move(why),
                         .mend = std::move(mend)});
  }
  void error(std::string what, std::string why, std::string mend) {
    add(Severity::kError, std::move(what), std::move(why), std::move(mend));
  }
  void warning(std::string what, std::string why, std::string mend = {}) {
    add(Severity::kWarning, std::move(what), std::move(why), std::move(mend));
  }

  void examine_server() {
    if (state_.version_num < kOldestVersion) {
      error(fmt::format("PostgreSQL {} is too old", state_.version),
            "14 is the oldest supported version", "upgrade the server");
    } else if (state_.version_num / 10000 > kNewestTestedMajor) {
      warning(fmt::format("PostgreSQL {} is newer than this walpost", state_.version),
              "14 to 18 are tested");
    }
    if (state_.in_recovery && state_.version_num < kVersionWithDecodingOnStandby) {
      error(
          "this server is a standby", "logical decoding on a standby begins with PostgreSQL 16",
          "connect to the primary: several hosts and target_session_attrs=read-write in --dbname");
    } else if (state_.in_recovery) {
      warning("this server is a standby", "publication and slot can only be set up on the primary");
    }
    if (state_.wal_level != "logical") {
      error(fmt::format("wal_level is {}, logical is needed", state_.wal_level),
            "the server does not write what logical decoding reads",
            "ALTER SYSTEM SET wal_level = 'logical';\nthen restart the server");
    }
    if (state_.max_wal_senders == 0) {
      error("max_wal_senders is 0, at least 1 is needed", "the server streams to nobody",
            "ALTER SYSTEM SET max_wal_senders = 10;\nthen restart the server");
    }
    if (!state_.may_replicate) {
      error(fmt::format("role {} has no REPLICATION privilege", quote_identifier(state_.user)),
            "only such a role may stream",
            fmt::format("ALTER ROLE {} REPLICATION;", quote_identifier(state_.user)));
    }
  }

  void missing_table(const TableState& table) {
    error(fmt::format("table {} does not exist", to_sql(table.name)),
          table.schema_exists
              ? "correct --table, or create it; the command below makes it as Debezium's router "
                "expects it"
              : fmt::format("there is no schema {}", quote_identifier(table.name.nspname)),
          setup_command());
  }

  void missing_publication() {
    error(fmt::format("publication {} does not exist", publication_),
          "it says which tables are streamed", setup_command());
  }

  // The command that creates all that is missing, so that it is typed once.
  std::string setup_command() const {
    const bool has_all_tables = std::all_of(state_.tables.begin(), state_.tables.end(),
                                            [](const TableState& table) { return table.exists; });
    return walpost::setup_command(wanted_, {.create_table = !has_all_tables});
  }

  void examine_publication() {
    const auto& publication = *state_.publication;
    if (!publication.insert) {
      error(fmt::format("publication {} does not publish INSERT", publication_),
            "an INSERT is the event",
            fmt::format("ALTER PUBLICATION {} SET (publish = 'insert');", publication_));
    }
    if (publication.update || publication.remove || publication.truncate) {
      add(Severity::kInfo, fmt::format("publication {} publishes more than INSERT", publication_),
          "UPDATE, DELETE and TRUNCATE of an outbox row are no events: they are sent and skipped",
          fmt::format("ALTER PUBLICATION {} SET (publish = 'insert');", publication_));
    }
  }

  void examine_table(const TableState& table) {
    const auto name = to_sql(table.name);
    if (table.kind != 'r' && table.kind != 'p') {
      error(fmt::format("{} is no table", name), "only tables have changes in the WAL",
            "correct --table");
      return;
    }
    if (table.persistence != 'p') {
      error(fmt::format("table {} is unlogged or temporary", name),
            "its changes are not in the WAL", fmt::format("ALTER TABLE {} SET LOGGED;", name));
    }
    if (state_.publication && !table.published) {
      not_published(table);
    } else if (state_.publication && !table.row_filter.empty()) {
      warning(fmt::format("publication {} has a row filter on {}", publication_, name),
              "rows that it does not let through are never sent");
    }
    for (const auto& column : wanted_.columns) examine_column(table, column);
  }

  void not_published(const TableState& table) {
    const auto name = to_sql(table.name);
    if (table.kind == 'p' && table.leaf_published) {
      warning(fmt::format("partitioned table {} is published by the names of its partitions", name),
              "rows of a partition that is dropped before they are read stop the stream",
              fmt::format("ALTER PUBLICATION {} SET (publish_via_partition_root = true);",
                          publication_));
    } else if (table.root_published && table.partition_root) {
      const auto root = to_sql(*table.partition_root);
      error(fmt::format("{} is a partition of {}, under whose name its rows are published", name,
                        root),
            fmt::format("rows of {} never come", name),
            fmt::format("walpost … --table {}", quote_shell(root)));
    } else {
      error(
          fmt::format("table {} is not in publication {}", name, publication_),
          "its rows are not sent; rows of transactions open while it is added are not sent either",
          fmt::format("ALTER PUBLICATION {} ADD TABLE {};", publication_, name));
    }
  }

  void examine_column(const TableState& table, const WantedColumn& wanted) {
    const auto found =
        std::find_if(table.columns.begin(), table.columns.end(),
                     [&](const ColumnState& column) { return column.name == wanted.column; });
    const auto name = to_sql(table.name);
    const auto column = quote_identifier(wanted.column);
    if (found == table.columns.end()) {
      if (wanted.may_be_missing) return;
      std::vector<std::string> names;
      for (const auto& each : table.columns) names.push_back(quote_identifier(each.name));
      error(fmt::format("table {} has no column {} ({})", name, column, wanted.option),
            fmt::format("it has {}", fmt::join(names, ", ")),
            fmt::format("name one of them with {}", wanted.option));
      return;
    }
    const bool is_sent = found->published || !table.published;
    if (found->generated && state_.version_num < kVersionWithGeneratedColumns) {
      error(fmt::format("column {} of {} is generated ({})", column, name, wanted.option),
            "before PostgreSQL 18 generated columns are not streamed",
            fmt::format("name another column with {}", wanted.option));
    } else if (found->generated && !is_sent) {
      error(fmt::format("column {} of {} is generated and not published ({})", column, name,
                        wanted.option),
            "generated columns are streamed on request only",
            fmt::format("ALTER PUBLICATION {} SET (publish_generated_columns = stored);",
                        publication_));
    } else if (!is_sent) {
      error(fmt::format("publication {} leaves out column {} of {} ({})", publication_, column,
                        name, wanted.option),
            "its column list decides what is streamed",
            fmt::format("ALTER PUBLICATION {} SET TABLE {};", publication_, name));
    }
    examine_type(table, *found, wanted);
  }

  // What the first row would show. Types that only the catalog knows are left to that row.
  void examine_type(const TableState& table, const ColumnState& column,
                    const WantedColumn& wanted) {
    const pgoutput::RelationColumn relation_column{
        .name = column.name, .type_oid = column.type_oid, .type_modifier = column.type_modifier};
    if (needs_facts(relation_column)) return;
    const auto type = ColumnType::make(relation_column, nullptr, wanted_.value_modes);
    if (!type && wanted.may_be_missing) return;
    const ColumnRole role{.option = wanted.option, .need = wanted.need};
    if (const auto refusal = refusal_of(role, column.type_oid, type)) {
      error(fmt::format("column {} of {} {}: it is {} ({})", quote_identifier(column.name),
                        to_sql(table.name), refusal->what, column.type, wanted.option),
            "its rows cannot become records", refusal->hint);
    }
  }

  void missing_slot() {
    error(fmt::format("slot {} does not exist", slot_),
          "rows committed before it is created are not sent; if it existed before, rows since its "
          "last confirmed position are lost to the stream",
          setup_command());
    if (state_.slots_used >= state_.max_replication_slots) {
      error(fmt::format("all {} replication slots are in use (max_replication_slots)",
                        state_.max_replication_slots),
            "no slot can be created",
            fmt::format("SELECT pg_drop_replication_slot('…');  -- one that nobody uses\nor ALTER "
                        "SYSTEM SET max_replication_slots = {};\nthen restart the server",
                        state_.max_replication_slots + 10));
    }
  }

  void examine_slot(const SlotState& slot) {
    const auto drop =
        fmt::format("SELECT pg_drop_replication_slot({});", quote_literal(wanted_.slot));
    const auto another = "choose another name with --slot";
    if (slot.slot_type != "logical") {
      error(fmt::format("slot {} is {}, a logical one is needed", slot_, slot.slot_type),
            "it belongs to a standby or a backup", another);
    } else if (slot.database != state_.database) {
      error(fmt::format("slot {} belongs to database {}, this is {}", slot_,
                        quote_identifier(slot.database), quote_identifier(state_.database)),
            "a logical slot streams the database it was created in",
            fmt::format("connect to {}, or {}", quote_identifier(slot.database), another));
    } else if (slot.plugin != "pgoutput") {
      error(fmt::format("slot {} uses the plugin {}, pgoutput is needed", slot_, slot.plugin),
            "it was made for another program", another);
    } else if (slot.wal_status == "lost" || !slot.invalidation_reason.empty()) {
      const auto reason =
          slot.invalidation_reason.empty() ? "wal_status lost" : slot.invalidation_reason;
      error(fmt::format("slot {} is lost ({})", slot_, reason),
            fmt::format("the server has removed WAL that it needs: what was committed after {} and "
                        "before a new slot is never streamed, but is still in the table unless it "
                        "was deleted",
                        slot.confirmed_flush_lsn.value_or(Lsn()).to_string()),
            fmt::format("{}\n{}", drop, setup_command()));
    } else if (slot.synced && state_.in_recovery) {
      error(fmt::format("slot {} is this standby's copy of the primary's slot", slot_),
            "it can be used after a promotion only",
            "connect to the primary: several hosts and target_session_attrs=read-write in "
            "--dbname");
    } else {
      examine_usable_slot(slot);
    }
  }

  void examine_usable_slot(const SlotState& slot) {
    if (slot.wal_status == "unreserved") {
      warning(fmt::format("slot {} is about to be lost (wal_status unreserved)", slot_),
              "the server may remove WAL that it needs at the next checkpoint",
              "ALTER SYSTEM SET max_slot_wal_keep_size = '…';  -- more than now\nSELECT "
              "pg_reload_conf();");
    }
    if (slot.temporary) {
      warning(fmt::format("slot {} is temporary", slot_),
              "it goes away with the session that made it");
    }
    if (slot.holder) {
      warning(
          fmt::format("slot {} is active, held by {}", slot_, slot.holder->to_string()),
          "one process at a time streams from a slot; run waits until it is free",
          fmt::format("stop that process, or: SELECT pg_terminate_backend({});", slot.holder->pid));
    }
  }

  void examine_disk_and_wire() {
    if (state_.max_slot_wal_keep_size_mb < 0) {
      warning("max_slot_wal_keep_size is -1 (no limit)",
              "while nothing is streamed, the slot makes the server keep WAL until its disk is "
              "full; a limit protects the disk at the price of the slot",
              "ALTER SYSTEM SET max_slot_wal_keep_size = '…';  -- what the disk can spare\nSELECT "
              "pg_reload_conf();");
    }
    std::string_view hosts = state_.host;
    while (!hosts.empty()) {
      const auto host = hosts.substr(0, hosts.find(','));
      hosts.remove_prefix(std::min(host.size() + 1, hosts.size()));
      if (is_loopback(host) || state_.sslmode == "verify-full") continue;
      warning(fmt::format("sslmode is {} for host {}", state_.sslmode, host),
              "neither the server's identity is checked nor, below require, the wire encrypted",
              "sslmode=verify-full sslrootcert=… in --dbname");
      return;
    }
  }

  const ServerState& state_;
  const Wanted& wanted_;
  const std::string slot_;         // quoted
  const std::string publication_;  // quoted
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> examine(const ServerState& state, const Wanted& wanted) {
  return Examination(state, wanted).findings();
}

Error to_error(const Finding& finding) {
  return Error(ExitCode::kPostgresSetup, fmt::format("{}: {}", finding.what, finding.why),
               finding.mend);
}

}  // namespace walpost
