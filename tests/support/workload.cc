#include "workload.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <stdexcept>

#include "database.h"

namespace walpost::test {
namespace {

constexpr const char* kSchema = R"sql(
CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, aggregatetype text NOT NULL,
                     aggregateid text NOT NULL, type text NOT NULL, payload jsonb NOT NULL);
CREATE TABLE counters (key int PRIMARY KEY, n bigint NOT NULL) WITH (fillfactor = 20);
CREATE TABLE noise (at timestamptz NOT NULL DEFAULT now(), x text);

CREATE FUNCTION write_rows(row_count int, key_count int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  chosen int;
  counter bigint;
  newest bigint;
BEGIN
  FOR chosen IN SELECT (random() * (key_count - 1))::int FROM generate_series(1, row_count) ORDER BY 1
  LOOP
    UPDATE counters SET n = n + 1 WHERE key = chosen RETURNING n INTO counter;
    INSERT INTO outbox (aggregatetype, aggregateid, type, payload)
      VALUES ('order', chosen, 'changed', jsonb_build_object('n', counter)) RETURNING id INTO newest;
  END LOOP;
  INSERT INTO noise (x) VALUES (repeat('x', 100));
  RETURN newest;
END $$;
)sql";

}  // namespace

Workload::Workload(std::string conninfo) : conninfo_(std::move(conninfo)) {
  Database database(conninfo_);
  database.exec(kSchema);
  database.exec("INSERT INTO counters SELECT key, 0 FROM generate_series(0, " +
                std::to_string(kKeys - 1) + ") AS key");
}

Workload::~Workload() = default;

void Workload::start(int writers, std::int64_t rows) {
  failures_.assign(static_cast<std::size_t>(writers), {});
  for (int i = 0; i < writers; ++i) {
    writers_.emplace_back([this, i, rows] {
      try {
        write(static_cast<unsigned>(i), rows);
      } catch (const std::exception& error) {
        failures_[static_cast<std::size_t>(i)] = error.what();
      }
    });
  }
}

void Workload::finish() {
  for (auto& writer : writers_) writer.join();
  writers_.clear();
  for (const auto& failure : failures_) {
    if (!failure.empty()) throw std::runtime_error("a writer failed: " + failure);
  }
}

void Workload::write(unsigned seed, std::int64_t rows) {
  std::mt19937 random(seed);
  auto database = std::make_unique<Database>(conninfo_);
  while (last_id_ < rows) {
    try {
      write_transaction(*database, random);
    } catch (const std::exception&) {
      // Whether it was committed stands in the table; a statement that is wrong fails again below.
      if (!survive_outages_) throw;
      poll_until("the server to come back", kPatience, [&] {
        try {
          database = std::make_unique<Database>(conninfo_);
          return true;
        } catch (const std::exception&) {
          return false;
        }
      });
    }
  }
}

void Workload::write_transaction(Database& database, std::mt19937& random) {
  const auto draw = [&](int from, int to) {
    return std::uniform_int_distribution(from, to)(random);
  };
  const auto write_rows = [&](int count) {
    const auto newest = std::stoll(database.value("SELECT write_rows(" + std::to_string(count) +
                                                  ", " + std::to_string(kKeys) + ")"));
    auto known = last_id_.load();
    while (known < newest && !last_id_.compare_exchange_weak(known, newest)) continue;
  };
  database.exec("BEGIN");
  if (draw(1, 5) == 1) {
    // Keys are locked in ascending order within one call only, so the savepoint that is rolled
    // back, and lets go of its locks, comes first.
    database.exec("SAVEPOINT before");
    write_rows(draw(1, 5));
    database.exec("ROLLBACK TO SAVEPOINT before");
  }
  write_rows(draw(1, 50));
  database.exec(draw(1, 10) == 1 ? "ROLLBACK" : "COMMIT");
}

WorkloadReport check_workload(const std::string& conninfo, const std::string& bootstrap,
                              const std::string& topic) {
  WorkloadReport report;
  Database database(conninfo);
  const auto newest = std::stoll(database.value("SELECT coalesce(max(id), 0) FROM outbox"));
  std::vector<bool> is_committed(static_cast<std::size_t>(newest) + 1);
  for (const auto& row : database.query("SELECT id FROM outbox")) {
    is_committed[static_cast<std::size_t>(std::stoll(row.at(0).value()))] = true;
    ++report.committed;
  }

  struct Key {
    std::int64_t counter = 0;
    std::int32_t partition = -1;
  };
  std::unordered_map<std::string, Key> keys;
  std::vector<bool> has_arrived(is_committed.size());
  KafkaConsumer consumer(bootstrap, {topic});
  consumer.for_each_to_end([&](const KafkaRecord& record) {
    ++report.delivered;
    const auto id = static_cast<std::size_t>(std::stoll(record.header("id").value()));
    if (id >= is_committed.size() || !is_committed[id]) {
      ++report.invented;
      return;
    }
    Key& key = keys[record.key.value()];
    if (key.partition >= 0 && key.partition != record.partition) ++report.wrong_partition;
    key.partition = record.partition;
    if (has_arrived[id]) {
      ++report.repeated;
      return;
    }
    has_arrived[id] = true;
    rapidjson::Document payload;
    payload.Parse(record.value.value().c_str());
    const std::int64_t counter = payload["n"].GetInt64();
    if (counter != key.counter + 1) ++report.out_of_order;
    key.counter = counter;
  });
  for (std::size_t id = 0; id < is_committed.size(); ++id) {
    if (is_committed[id] && !has_arrived[id]) ++report.missing;
  }
  return report;
}

}  // namespace walpost::test
