#include "replay.h"

#include <chrono>
#include <limits>
#include <regex>

#include "database.h"
#include "walpost_options.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Records of before a change of the table must be out when it comes, as with Debezium, which reads
// the catalog as it is at that moment.
bool changes_tables(const std::vector<std::string>& transaction) {
  static const std::regex ddl("^(ALTER|CREATE|DROP) ");
  for (const std::string& statement : transaction) {
    if (std::regex_search(statement, ddl)) return true;
  }
  return false;
}

void commit(Database& database, const std::vector<std::string>& transaction) {
  database.exec("BEGIN");
  for (const std::string& statement : transaction) database.exec(statement);
  database.exec(!transaction.empty() && transaction.back() == "-- rolled back" ? "ROLLBACK"
                                                                               : "COMMIT");
}

}  // namespace

Replay::Replay()
    : postgres_(15, {{"autovacuum", "off"}, {"max_slot_wal_keep_size", "1GB"}}),
      kafka_({{"num.partitions", std::to_string(kPartitions)},
              {"log.message.timestamp.after.max.ms",
               std::to_string(std::numeric_limits<std::int64_t>::max())}}),
      tails_(kafka_.bootstrap()) {}

std::vector<std::string> Replay::arguments(const Vector& vector) const {
  std::vector<std::string> result{"run",
                                  "--dbname=" + postgres_.conninfo(),
                                  "--brokers=" + kafka_.bootstrap(),
                                  "--endpos=now",
                                  "--no-http",
                                  "--topic-timeout=1s",
                                  "--log-format=text",
                                  "--log-level=warn"};
  const auto own = walpost_arguments(vector);
  result.insert(result.end(), own.begin(), own.end());
  return result;
}

// A database per vector would cost most of the time.
void Replay::empty_database() {
  Database database(postgres_.conninfo());
  database.exec("ALTER DATABASE postgres RESET ALL");
  database.exec("DROP PUBLICATION IF EXISTS walpost");
  database.exec("DROP SCHEMA IF EXISTS \"Out\" CASCADE");
  database.exec("DROP SCHEMA public CASCADE");
  database.exec("CREATE SCHEMA public");
}

int Replay::publish(const Vector& vector, Replayed& replayed) {
  const auto ended = run_walpost(arguments(vector), {.environment = walpost_environment(vector)});
  replayed.log += ended.stderr_text;
  return ended.exit_code;
}

Replayed Replay::run(const Vector& vector) {
  empty_database();
  Replayed result{.begun_ms = now_ms() - 1000};
  {
    Database database(postgres_.conninfo());
    for (const std::string& statement : vector.ddl) database.exec(statement);
    // Where Debezium makes the publication itself, walpost's would be made by `setup`.
    database.exec(
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_publication WHERE pubname = 'walpost') THEN "
        "CREATE PUBLICATION walpost FOR TABLE outbox; END IF; END $$");
  }
  Database database(postgres_.conninfo());
  database.exec("SELECT pg_create_logical_replication_slot('walpost', 'pgoutput')");
  for (const auto& transaction : vector.statements) {
    if (changes_tables(transaction)) result.exit_code = publish(vector, result);
    if (result.exit_code != 0) break;
    commit(database, transaction);
  }
  if (result.exit_code == 0) result.exit_code = publish(vector, result);
  database.exec("SELECT pg_drop_replication_slot('walpost')");
  result.records = tails_.take();
  result.ended_ms = now_ms() + 1000;
  return result;
}

}  // namespace walpost::test
