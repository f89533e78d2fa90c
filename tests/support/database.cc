#include "database.h"

#include <stdexcept>

namespace walpost::test {
namespace {

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;
using Text = std::unique_ptr<char, decltype(&PQfreemem)>;

Result checked(PGresult* raw, PGconn* connection, const std::string& sql) {
  Result result(raw, &PQclear);
  switch (PQresultStatus(result.get())) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_EMPTY_QUERY:
    case PGRES_COPY_IN:
      return result;
    default:
      throw std::runtime_error(PQerrorMessage(connection) + ("in: " + sql));
  }
}

std::vector<Row> rows_of(const PGresult* result) {
  std::vector<Row> rows(static_cast<std::size_t>(PQntuples(result)));
  for (int r = 0; r < PQntuples(result); ++r) {
    for (int c = 0; c < PQnfields(result); ++c) {
      Row& row = rows[static_cast<std::size_t>(r)];
      if (PQgetisnull(result, r, c) != 0) {
        row.emplace_back();
      } else {
        row.emplace_back(std::in_place, PQgetvalue(result, r, c),
                         static_cast<std::size_t>(PQgetlength(result, r, c)));
      }
    }
  }
  return rows;
}

}  // namespace

Database::Database(const std::string& conninfo)
    : connection_(PQconnectdb(conninfo.c_str()), &PQfinish) {
  if (PQstatus(handle()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(handle()));
  // Notices such as "table does not exist, skipping" would hide what matters in a test's output.
  PQsetNoticeProcessor(
      handle(), [](void*, const char*) {}, nullptr);
}

void Database::exec(const std::string& sql) {
  checked(PQexec(handle(), sql.c_str()), handle(), sql);
}

std::vector<Row> Database::query(const std::string& sql) {
  return rows_of(checked(PQexec(handle(), sql.c_str()), handle(), sql).get());
}

std::vector<Row> Database::query(const std::string& sql, const Row& parameters) {
  std::vector<const char*> values;
  values.reserve(parameters.size());
  for (const auto& p : parameters) values.push_back(p ? p->c_str() : nullptr);
  return rows_of(checked(PQexecParams(handle(), sql.c_str(), static_cast<int>(values.size()),
                                      nullptr, values.data(), nullptr, nullptr, 0),
                         handle(), sql)
                     .get());
}

std::string Database::value(const std::string& sql) {
  const std::vector<Row> rows = query(sql);
  if (rows.size() != 1 || rows[0].size() != 1 || !rows[0][0]) {
    throw std::runtime_error("not one value: " + sql);
  }
  return *rows[0][0];
}

void Database::wait_until(const std::string& sql, const std::string& expected,
                          std::chrono::milliseconds limit) {
  std::string last;
  try {
    poll_until(sql + " is " + expected, limit, [&] {
      const std::vector<Row> rows = query(sql);
      last = rows.empty() ? "no row" : rows.at(0).at(0).value_or("NULL");
      return last == expected;
    });
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(error.what()) + "; last seen: " + last);
  }
}

void Database::wait_until_confirmed(const std::string& slot, std::chrono::milliseconds limit) {
  wait_until("SELECT confirmed_flush_lsn >= '" + value("SELECT pg_current_wal_lsn()") +
                 "' FROM pg_replication_slots WHERE slot_name = '" + slot + "'",
             "t", limit);
}

void Database::copy_in(const std::string& sql, const std::string& data) {
  checked(PQexec(handle(), sql.c_str()), handle(), sql);
  if (PQputCopyData(handle(), data.data(), static_cast<int>(data.size())) != 1 ||
      PQputCopyEnd(handle(), nullptr) != 1) {
    throw std::runtime_error(PQerrorMessage(handle()) + ("in: " + sql));
  }
  while (PGresult* result = PQgetResult(handle())) checked(result, handle(), sql);
}

std::string Database::quote_literal(const std::string& text) {
  return Text(PQescapeLiteral(handle(), text.data(), text.size()), &PQfreemem).get();
}

std::string Database::quote_identifier(const std::string& name) {
  return Text(PQescapeIdentifier(handle(), name.data(), name.size()), &PQfreemem).get();
}

}  // namespace walpost::test
