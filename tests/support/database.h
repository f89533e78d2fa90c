#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poll_until.h"

namespace walpost::test {

// One value per column; nothing for NULL.
using Row = std::vector<std::optional<std::string>>;

// One ordinary connection for a test's own SQL. Failed statements throw std::runtime_error with
// the server's message and the statement. For one thread at a time.
class Database final {
 public:
  explicit Database(const std::string& conninfo);

  // Runs one or several statements and drops their results.
  void exec(const std::string& sql);
  [[nodiscard]] std::vector<Row> query(const std::string& sql);
  // With $1, $2, … as text; the rows may be left alone, as after an INSERT.
  std::vector<Row> query(const std::string& sql, const Row& parameters);
  // The only column of the only row; throws if there is another shape, or NULL.
  [[nodiscard]] std::string value(const std::string& sql);
  // Returns once `value(sql)` is `expected`; throws, with the last value, after `limit`.
  void wait_until(const std::string& sql, const std::string& expected,
                  std::chrono::milliseconds limit = kPatience);
  // Returns once `slot` has confirmed all WAL that there is now; throws after `limit`.
  void wait_until_confirmed(const std::string& slot, std::chrono::milliseconds limit = kPatience);
  // Sends `data` as the input of a COPY … FROM STDIN.
  void copy_in(const std::string& sql, const std::string& data);

  [[nodiscard]] std::string quote_literal(const std::string& text);
  [[nodiscard]] std::string quote_identifier(const std::string& name);
  [[nodiscard]] PGconn* handle() { return connection_.get(); }

 private:
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

}  // namespace walpost::test
