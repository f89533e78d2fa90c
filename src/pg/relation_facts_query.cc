#include "relation_facts_query.h"

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "walpost/error.h"

namespace walpost {
namespace {

using namespace std::chrono_literals;

// A catalog query is answered within milliseconds; rows wait for it meanwhile.
constexpr auto kAnswerTime = 30s;

// PostgreSQL itself sets no limit to domains over domains; this only ends a catalog that lies.
constexpr int kMaxDomainDepth = 100;

// `resolved` follows domains down to what they are made of, for the column's type and once more for
// the elements of an array.
constexpr std::string_view kSql = R"(
WITH RECURSIVE attribute AS (
  SELECT a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull,
         pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS default_expression
    FROM pg_catalog.pg_attribute a
    LEFT JOIN pg_catalog.pg_attrdef d
      ON d.adrelid = a.attrelid AND d.adnum = a.attnum AND a.attgenerated = ''
   WHERE a.attrelid = {relid} AND a.attnum > 0 AND NOT a.attisdropped
), resolved AS (
  SELECT a.attnum, t.oid, t.typname, t.typtype, t.typbasetype, t.typelem, t.typlen, t.typtypmod,
         a.atttypmod AS typmod, t.typnotnull AS domain_not_null, t.typtype = 'd' AS is_domain,
         1 AS depth
    FROM attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  UNION ALL
  SELECT r.attnum, t.oid, t.typname, t.typtype, t.typbasetype, t.typelem, t.typlen, t.typtypmod,
         r.typtypmod, r.domain_not_null OR t.typnotnull, true, r.depth + 1
    FROM resolved r JOIN pg_catalog.pg_type t ON t.oid = r.typbasetype
   WHERE r.typtype = 'd' AND r.depth < {depth}
), element AS (
  SELECT r.attnum, t.oid, t.typname, t.typtype, t.typbasetype, t.typtypmod, -1 AS typmod,
         t.typtype = 'd' AS is_domain, 1 AS depth
    FROM resolved r JOIN pg_catalog.pg_type t ON t.oid = r.typelem
   WHERE r.typtype <> 'd' AND r.typlen = -1 AND r.typelem <> 0
  UNION ALL
  SELECT e.attnum, t.oid, t.typname, t.typtype, t.typbasetype, t.typtypmod, e.typtypmod, true,
         e.depth + 1
    FROM element e JOIN pg_catalog.pg_type t ON t.oid = e.typbasetype
   WHERE e.typtype = 'd' AND e.depth < {depth}
)
SELECT a.attname, a.atttypid, a.attnotnull OR r.domain_not_null AS attnotnull,
       a.default_expression, r.oid AS type_oid, r.typname, r.typtype, r.typmod, r.is_domain,
       e.oid AS element_oid, e.typname AS element_typname, e.typtype AS element_typtype,
       e.typmod AS element_typmod, e.is_domain AS is_element_domain
  FROM attribute a
  JOIN resolved r ON r.attnum = a.attnum AND r.typtype <> 'd'
  LEFT JOIN element e ON e.attnum = a.attnum AND e.typtype <> 'd'
 ORDER BY a.attnum;
SELECT n.enumtypid, n.enumlabel
  FROM pg_catalog.pg_enum n
 WHERE n.enumtypid IN (
   WITH RECURSIVE used AS (
     SELECT a.atttypid AS oid FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = {relid} AND a.attnum > 0 AND NOT a.attisdropped
     UNION
     SELECT CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END
       FROM used u JOIN pg_catalog.pg_type t ON t.oid = u.oid
   ) SELECT oid FROM used)
 ORDER BY n.enumtypid, n.enumsortorder;
SELECT n.nspname, c.relname
  FROM pg_catalog.pg_class leaf
  JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.pg_partition_root(leaf.oid)
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE leaf.oid = {relid} AND leaf.relispartition)";

Oid oid_at(const ResultTable& result, std::size_t row, std::string_view column) {
  return Oid{static_cast<std::uint32_t>(result.number(row, column).value_or(0))};
}

char letter_at(const ResultTable& result, std::size_t row, std::string_view column) {
  const std::string text = result.text(row, column);
  if (text.size() != 1) throw odd_answer(fmt::format("{} is not one letter", column));
  return text.front();
}

}  // namespace

std::string relation_facts_sql(Oid relid) {
  return fmt::format(kSql, fmt::arg("relid", relid.value), fmt::arg("depth", kMaxDomainDepth));
}

RelationFacts parse_relation_facts(std::span<const ResultTable> results) {
  const ResultTable& columns = result_at(results, 0);
  const ResultTable& labels = result_at(results, 1);
  std::map<Oid, std::vector<std::string>> labels_of;
  for (std::size_t row = 0; row < labels.rows.size(); ++row) {
    labels_of[oid_at(labels, row, "enumtypid")].push_back(labels.text(row, "enumlabel"));
  }
  RelationFacts facts;
  if (const ResultTable& root = result_at(results, 2); !root.rows.empty()) {
    facts.root_nspname = root.text(0, "nspname");
    facts.root_relname = root.text(0, "relname");
  }
  for (std::size_t row = 0; row < columns.rows.size(); ++row) {
    const auto type_at = [&](std::string_view oid, std::string_view name, std::string_view type) {
      TypeFacts found{.oid = oid_at(columns, row, oid),
                      .typname = columns.text(row, name),
                      .typtype = letter_at(columns, row, type)};
      if (const auto known = labels_of.find(found.oid); known != labels_of.end()) {
        found.enum_labels = known->second;
      }
      return found;
    };
    ColumnFacts& column = facts.columns.emplace_back();
    column.attname = columns.text(row, "attname");
    column.atttypid = oid_at(columns, row, "atttypid");
    column.attnotnull = columns.flag(row, "attnotnull");
    column.default_expression = columns.at(row, "default_expression");
    column.type = type_at("type_oid", "typname", "typtype");
    column.typmod = static_cast<std::int32_t>(columns.number(row, "typmod").value_or(-1));
    column.is_domain = columns.flag(row, "is_domain");
    if (columns.at(row, "element_oid")) {
      column.element = type_at("element_oid", "element_typname", "element_typtype");
      column.element_typmod =
          static_cast<std::int32_t>(columns.number(row, "element_typmod").value_or(-1));
      column.is_element_domain = columns.flag(row, "is_element_domain");
    }
  }
  return facts;
}

RelationFactsQuery::RelationFactsQuery(const ConnectionOptions& options, Oid relid,
                                       const Clock& clock)
    : clock_(clock), relid_(relid), connection_(options, clock) {}

std::optional<RelationFacts> RelationFactsQuery::poll() {
  if (!answer_deadline_) {
    if (!connection_.poll_login()) return std::nullopt;
    connection_.start_query(relation_facts_sql(relid_));
    answer_deadline_ = clock_.now() + kAnswerTime;
  }
  if (const auto results = connection_.poll_query()) return parse_relation_facts(*results);
  if (clock_.now() < *answer_deadline_) return std::nullopt;
  throw Error::retryable(ExitCode::kPostgresUnreachable,
                         "PostgreSQL did not say in time what the outbox table's columns are",
                         "look whether the server is stopped or overloaded");
}

WaitFor RelationFactsQuery::wait_for() const {
  WaitFor wait = connection_.wait_for();
  if (answer_deadline_) wait.at = answer_deadline_;
  return wait;
}

}  // namespace walpost
