#include "pg_error.h"

#include <fmt/format.h>

#include <array>

namespace walpost {
namespace {

enum class Answer { kRetry, kStop };

struct Rule {
  std::string_view sqlstate;  // a whole state, or a class of two characters
  Answer answer;
  ExitCode exit_code;
  std::string_view hint;
};

// The first rule that fits counts. What is not here is retried: a permanent refusal that we do not
// know costs a log line every few seconds, a transient one taken for permanent an outage.
constexpr std::array kRules = {
    Rule{"28P01", Answer::kStop, ExitCode::kPostgresSetup,
         "check the password: PGPASSWORD, ~/.pgpass, or password= in --dbname"},
    Rule{"28", Answer::kStop, ExitCode::kPostgresSetup,
         "check the role (it needs LOGIN and REPLICATION) and a line for this host, database and "
         "role in pg_hba.conf"},
    Rule{"3D000", Answer::kStop, ExitCode::kPostgresSetup,
         "check dbname in --dbname or PGDATABASE"},
    Rule{"08P01", Answer::kStop, ExitCode::kPostgresSetup,
         "connect to PostgreSQL itself: connection poolers carry no replication and refuse the "
         "session settings that keep the text of values fixed"},
    Rule{"42501", Answer::kStop, ExitCode::kPostgresSetup,
         "grant what is missing; `walpost check` lists it all with the SQL"},
    Rule{"42704", Answer::kStop, ExitCode::kPostgresSetup,
         "`walpost check` says what is missing and how to create it"},
    Rule{"55006", Answer::kRetry, ExitCode::kPostgresSetup,
         "it is taken over as soon as the other process lets it go"},
    Rule{"55000", Answer::kStop, ExitCode::kPostgresSetup,
         "`walpost check` says what keeps the slot from being used and how to mend it"},
    Rule{
        "53300", Answer::kRetry, ExitCode::kPostgresUnreachable,
        "raise max_connections or max_wal_senders (restart needed), or the CONNECTION LIMIT of the "
        "role or database where the message names one, or end sessions that are not needed"},
    Rule{"53400", Answer::kStop, ExitCode::kPostgresSetup,
         "raise max_replication_slots (restart needed) or drop a slot that nobody uses"},
    Rule{"0A000", Answer::kStop, ExitCode::kPostgresSetup,
         "PostgreSQL 14 to 18 are supported; on a standby logical decoding begins with 16"},
    Rule{"22023", Answer::kStop, ExitCode::kPostgresSetup, ""},
    Rule{"22", Answer::kStop, ExitCode::kPostgresSetup, ""},
    Rule{"42", Answer::kStop, ExitCode::kPostgresSetup, ""},
    Rule{"58P01", Answer::kStop, ExitCode::kPostgresSetup,
         "the server's WAL or files are gone; a slot that needs them must be made anew"},
    Rule{"57P03", Answer::kRetry, ExitCode::kPostgresUnreachable, ""},
};

// For what has no SQLSTATE: no server said anything.
constexpr std::string_view kUnreachableHint =
    "check host and port in --dbname (or PGHOST, PGPORT), that the server runs and listens there, "
    "and what stands between (firewall, proxy)";

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool is_sqlstate(std::string_view text) {
  return text.size() == 5 &&
         text.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
}

// Where ":  28P01: " stands in a line: the offset of the state, or npos.
std::size_t find_sqlstate(std::string_view line) {
  constexpr std::string_view kBefore = ":  ";
  for (auto at = line.find(kBefore); at != std::string_view::npos;
       at = line.find(kBefore, at + 1)) {
    const auto state = at + kBefore.size();
    if (is_sqlstate(line.substr(state, 5)) && line.substr(state + 5, 2) == ": ") return state;
  }
  return std::string_view::npos;
}

// Too many connections is a matter of time, but not with a limit of 0. The words around the name of
// the setting may be translated.
bool is_without_wal_senders(const PgErrorFields& fields) {
  return fields.sqlstate == "53300" &&
         fields.message.find("max_wal_senders") != std::string::npos &&
         fields.message.find(" 0)") != std::string::npos;
}

}  // namespace

Error to_error(const PgErrorFields& fields) {
  std::string what = fields.message;
  if (!fields.detail.empty()) what += fmt::format(" ({})", fields.detail);
  if (!fields.sqlstate.empty()) what += fmt::format(" [SQLSTATE {}]", fields.sqlstate);
  if (is_without_wal_senders(fields)) {
    return Error(ExitCode::kPostgresSetup, what,
                 "ALTER SYSTEM SET max_wal_senders = 10;\nthen restart the server");
  }
  for (const auto& rule : kRules) {
    if (!std::string_view(fields.sqlstate).starts_with(rule.sqlstate)) continue;
    std::string hint(rule.hint);
    if (hint.empty()) hint = fields.hint;
    return rule.answer == Answer::kRetry ? Error::retryable(rule.exit_code, what, hint)
                                         : Error(rule.exit_code, what, hint);
  }
  const bool has_own_hint = !fields.hint.empty() || !fields.sqlstate.empty();
  return Error::retryable(ExitCode::kPostgresUnreachable, what,
                          has_own_hint ? fields.hint : std::string(kUnreachableHint));
}

Error with_statement(const Error& error, std::string_view sql) {
  const auto what = fmt::format("{}: {}", sql, error.what());
  return error.is_retryable() ? Error::retryable(error.exit_code(), what, error.hint())
                              : Error(error.exit_code(), what, error.hint());
}

PgErrorFields parse_login_error(std::string_view text) {
  PgErrorFields fields;
  std::string everything;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = trim(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (line.empty() || line.starts_with("LOCATION:")) continue;
    if (const auto state = find_sqlstate(line); state != std::string_view::npos) {
      fields.sqlstate = line.substr(state, 5);
      fields.message = fmt::format("{}{}", line.substr(0, state), line.substr(state + 7));
      fields.detail.clear();
      fields.hint.clear();
    } else if (line.starts_with("DETAIL:  ")) {
      fields.detail = line.substr(9);
    } else if (line.starts_with("HINT:  ")) {
      fields.hint = line.substr(7);
    }
    if (!everything.empty()) everything += "; ";
    everything += line;
  }
  if (fields.sqlstate.empty()) fields.message = everything;
  return fields;
}

}  // namespace walpost
