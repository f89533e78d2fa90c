#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "connection.h"
#include "result_table.h"
#include "walpost/clock.h"
#include "walpost/column_facts.h"
#include "walpost/wait.h"

namespace walpost {

// Three statements: the columns, the labels of all enums among their types, the partition root.
[[nodiscard]] std::string relation_facts_sql(Oid relid);
[[nodiscard]] RelationFacts parse_relation_facts(std::span<const ResultTable> results);

// One question to the catalog over an ordinary connection of its own, never blocking: what the
// walsender that streams looked up would stay in its caches (replication_stream.cc). One thread.
class RelationFactsQuery final {
 public:
  // Begins to connect. `clock` must outlive it.
  RelationFactsQuery(const ConnectionOptions& options, Oid relid, const Clock& clock);

  // nullopt: not there yet. Throws Error; a retryable one when the server cannot be asked or does
  // not answer. After an answer or an Error only destruction is allowed.
  [[nodiscard]] std::optional<RelationFacts> poll();

  [[nodiscard]] WaitFor wait_for() const;

 private:
  const Clock& clock_;
  Oid relid_;
  Connection connection_;
  std::optional<TimePoint> answer_deadline_;  // nullopt: not logged in yet
};

}  // namespace walpost
