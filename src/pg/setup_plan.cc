#include "setup_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quoting.h"
#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

constexpr int kVersionWithFailover = 170000;

// Debezium's default shape, its order of columns included.
std::string create_table_sql(const TableName& table) {
  return fmt::format(
      "CREATE TABLE {} (\"id\" uuid NOT NULL PRIMARY KEY, "
      "\"aggregatetype\" varchar(255) NOT NULL, \"aggregateid\" varchar(255) NOT NULL, "
      "\"type\" varchar(255) NOT NULL, \"payload\" jsonb)",
      to_sql(table));
}

class Planner final {
 public:
  Planner(const ServerState& state, const Wanted& wanted, const SetupOptions& options)
      : state_(state), wanted_(wanted), options_(options) {}

  SetupPlan plan() && {
    if (!wanted_.role.empty()) plan_role();
    for (const auto& table : state_.tables) {
      if (!table.exists) plan_table(table);
    }
    if (!wanted_.role.empty()) plan_grants();
    plan_publication();
    if (!state_.slot) plan_slot();
    return std::move(plan_);
  }

 private:
  void step(std::string sql, std::string why, StepKind kind = StepKind::kDefinition) {
    plan_.steps.push_back({.kind = kind, .sql = std::move(sql), .why = std::move(why)});
  }
  void obstacle(std::string what, std::string why, std::string mend) {
    plan_.obstacles.push_back({.severity = Severity::kError,
                               .what = std::move(what),
                               .why = std::move(why),
                               .mend = std::move(mend)});
  }

  void plan_role() {
    const auto role = quote_identifier(wanted_.role);
    if (!state_.role.exists) {
      step(
          fmt::format("CREATE ROLE {} LOGIN REPLICATION", role),
          "a role of its own that may stream and nothing else; give it a password with \\password");
    } else if (!state_.role.login || !state_.role.replication) {
      step(fmt::format("ALTER ROLE {} LOGIN REPLICATION", role), "streaming needs both attributes");
    }
  }

  void plan_grants() {
    const auto role = quote_identifier(wanted_.role);
    step(fmt::format("GRANT CONNECT ON DATABASE {} TO {}", quote_identifier(state_.database), role),
         "to log in");
    std::vector<std::string> schemas;
    for (const auto& table : wanted_.tables) {
      if (std::find(schemas.begin(), schemas.end(), table.nspname) == schemas.end()) {
        schemas.push_back(table.nspname);
        step(fmt::format("GRANT USAGE ON SCHEMA {} TO {}", quote_identifier(table.nspname), role),
             "to look at the table");
      }
      step(fmt::format("GRANT SELECT ON TABLE {} TO {}", to_sql(table), role),
           "to count rows that are older than the slot; streaming itself does not need it");
    }
  }

  void plan_table(const TableState& table) {
    if (!options_.create_table) {
      auto options = options_;
      options.create_table = true;
      obstacle(fmt::format("table {} does not exist", to_sql(table.name)),
               "a publication needs the table; correct --table, or create it",
               setup_command(wanted_, options));
      return;
    }
    if (!table.schema_exists) {
      step(fmt::format("CREATE SCHEMA {}", quote_identifier(table.name.nspname)),
           "the schema of the outbox table");
    }
    step(create_table_sql(table.name), "the outbox table, in Debezium's default shape");
  }

  void plan_publication() {
    std::vector<std::string> missing;
    bool is_owner = true;
    bool is_partitioned = false;
    for (const auto& table : state_.tables) {
      is_partitioned = is_partitioned || table.kind == 'p';
      const bool is_there = table.published || table.leaf_published || table.root_published;
      if (is_there && state_.publication) continue;
      missing.push_back(to_sql(table.name));
      is_owner = is_owner && (table.is_owner || !table.exists || state_.superuser);
    }
    const auto name = quote_identifier(wanted_.publication);
    if (state_.publication) {
      if (missing.empty() || state_.publication->all_tables) return;
      const auto sql =
          fmt::format("ALTER PUBLICATION {} ADD TABLE {}", name, fmt::join(missing, ", "));
      step(sql, "rows of transactions that are open at this moment are not sent");
      if (!is_owner || !(state_.publication->is_owner || state_.superuser)) {
        no_privilege(fmt::format("change publication {}", name),
                     "it must own the publication and the table", sql);
      }
      return;
    }
    const auto sql = fmt::format("CREATE PUBLICATION {} FOR TABLE {} WITH (publish = 'insert'{})",
                                 name, fmt::join(missing, ", "),
                                 is_partitioned ? ", publish_via_partition_root = true" : "");
    step(sql, is_partitioned
                  ? "an INSERT is an event, the rest is not sent; partitions come as their root"
                  : "an INSERT is an event, the rest is not sent");
    if (!is_owner || !state_.may_create_in_database) {
      no_privilege(fmt::format("create publication {}", name),
                   "it needs CREATE on the database and must own the table", sql);
    }
  }

  void no_privilege(const std::string& what, std::string why, const std::string& sql) {
    obstacle(fmt::format("role {} may not {}", quote_identifier(state_.user), what), std::move(why),
             fmt::format("as the owner of the table or a superuser: {};", sql));
  }

  void plan_slot() {
    std::string sql =
        fmt::format("SELECT pg_catalog.pg_create_logical_replication_slot({}, 'pgoutput'",
                    quote_literal(wanted_.slot));
    if (options_.slot_failover) {
      sql += ", false, false, true";
      if (state_.version_num < kVersionWithFailover) {
        obstacle(
            fmt::format("--slot-failover: PostgreSQL {} has no failover slots", state_.version),
            "they began with 17", "leave out --slot-failover");
      }
    }
    step(sql + ")", "rows committed from now on are kept until they are delivered",
         StepKind::kSlot);
    if (!state_.may_replicate) {
      obstacle(
          fmt::format("role {} may not create a replication slot", quote_identifier(state_.user)),
          "it needs the attribute REPLICATION",
          fmt::format("ALTER ROLE {} REPLICATION;", quote_identifier(state_.user)));
    }
  }

  const ServerState& state_;
  const Wanted& wanted_;
  const SetupOptions& options_;
  SetupPlan plan_;
};

}  // namespace

SetupPlan plan_setup(const ServerState& state, const Wanted& wanted, const SetupOptions& options) {
  return Planner(state, wanted, options).plan();
}

std::optional<Finding> missing_slot_warning(const ServerState& state, const Wanted& wanted) {
  if (state.slot || !state.publication) return std::nullopt;
  std::string mend;
  for (const auto& table : state.tables) {
    const bool is_published = table.published || table.leaf_published || table.root_published;
    if (!table.exists || !is_published) return std::nullopt;
    mend += fmt::format("INSERT INTO {0} SELECT … FROM {0} WHERE …;  -- with new ids\n",
                        to_sql(table.name));
  }
  return Finding{
      .severity = Severity::kWarning,
      .what = fmt::format("slot {} does not exist, but publication {} does: the slot is made anew",
                          quote_identifier(wanted.slot), quote_identifier(wanted.publication)),
      .why =
          "if it existed before, rows committed since its last confirmed position are NOT sent; "
          "those still in the table can be inserted again",
      .mend = std::move(mend)};
}

std::string slot_blockers_sql(std::int64_t backend_pid) {
  return fmt::format(R"(
SELECT a.pid, a.usename AS user_name, a.application_name, a.state,
       extract(epoch FROM now() - a.xact_start)::bigint AS transaction_age_s
  FROM unnest(pg_catalog.pg_blocking_pids({})) blocker(pid)
       JOIN pg_catalog.pg_stat_activity a ON a.pid = blocker.pid
 ORDER BY a.xact_start)",
                     backend_pid);
}

std::string slot_blockers_text(const ResultTable& blockers, StepKind kind) {
  const bool is_slot = kind == StepKind::kSlot;
  if (blockers.rows.empty()) {
    return is_slot ? "creating the slot waits for the server" : "setting up waits for the server";
  }
  std::string list;
  for (std::size_t row = 0; row < blockers.rows.size(); ++row) {
    const SlotHolder who{.pid = blockers.number(row, "pid").value_or(0),
                         .user = blockers.text(row, "user_name"),
                         .application_name = blockers.text(row, "application_name")};
    if (!list.empty()) list += ", ";
    list += who.to_string();
    if (const auto age = blockers.number(row, "transaction_age_s")) {
      list += fmt::format(", open for {} s", *age);
    }
    if (const auto state = blockers.text(row, "state"); !state.empty()) list += ", " + state;
  }
  return (is_slot ? "creating the slot waits for transactions that were open before it: "
                  : "setting up waits for a lock that others hold: ") +
         list;
}

std::string guarded_sql(const Step& step) {
  return "SET client_connection_check_interval = '2s'; " + step.sql;
}

std::string setup_command(const Wanted& wanted, const SetupOptions& options) {
  const Wanted defaults;
  std::string command = "walpost setup";
  const auto add = [&](std::string_view option, const std::string& value) {
    command += fmt::format(" {} {}", option, quote_shell(value));
  };
  if (!wanted.shown_dbname.empty()) add("--dbname", wanted.shown_dbname);
  if (wanted.slot != defaults.slot) add("--slot", wanted.slot);
  if (wanted.publication != defaults.publication) add("--publication", wanted.publication);
  if (wanted.tables != defaults.tables) {
    for (const auto& table : wanted.tables) add("--table", to_sql(table));
  }
  if (options.create_table) command += " --create-table";
  if (!wanted.role.empty()) add("--role", wanted.role);
  if (options.slot_failover) command += " --slot-failover";
  return command;
}

TeardownPlan plan_teardown(const ServerState& state, const Wanted& wanted) {
  TeardownPlan plan;
  if (state.slot) {
    const auto& slot = *state.slot;
    if (slot.holder) {
      plan.obstacles.push_back(
          {.severity = Severity::kError,
           .what = fmt::format("slot {} is in use by {}", quote_identifier(wanted.slot),
                               slot.holder->to_string()),
           .why = "a slot that somebody streams from cannot be dropped",
           .mend = fmt::format("stop that process, or: SELECT pg_terminate_backend({});",
                               slot.holder->pid)});
    }
    plan.steps.push_back({.kind = StepKind::kSlot,
                          .sql = fmt::format("SELECT pg_catalog.pg_drop_replication_slot({})",
                                             quote_literal(wanted.slot)),
                          .why = "the server no longer keeps WAL for it"});
    const auto confirmed = slot.confirmed_flush_lsn.value_or(Lsn());
    const auto end = state.current_lsn.value_or(confirmed);
    plan.losses.push_back(fmt::format(
        "the position of slot {}: everything committed after {} and not yet delivered is not sent "
        "({} bytes of WAL); a new slot starts at the end of the WAL",
        quote_identifier(wanted.slot), confirmed.to_string(),
        end > confirmed ? end.value() - confirmed.value() : 0));
  }
  if (state.publication) {
    plan.steps.push_back(
        {.kind = StepKind::kDefinition,
         .sql = fmt::format("DROP PUBLICATION {}", quote_identifier(wanted.publication)),
         .why = "nothing is published by it any more"});
    plan.losses.push_back(fmt::format("publication {}: whoever else streams it fails from then on",
                                      quote_identifier(wanted.publication)));
    if (!state.publication->is_owner && !state.superuser) {
      plan.obstacles.push_back(
          {.severity = Severity::kError,
           .what = fmt::format("role {} may not drop publication {}", quote_identifier(state.user),
                               quote_identifier(wanted.publication)),
           .why = "it does not own the publication",
           .mend = fmt::format("as its owner or a superuser: DROP PUBLICATION {};",
                               quote_identifier(wanted.publication))});
    }
  }
  return plan;
}

}  // namespace walpost
