#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "result_table.h"
#include "walpost/clock.h"
#include "walpost/error.h"
#include "walpost/wait.h"

struct pg_conn;
struct pg_result;

namespace walpost {

// Where a connection leads, out of the several hosts that a conninfo may name.
struct Endpoint {
  std::string host;
  std::string hostaddr;  // empty for a unix socket
  std::string port;

  [[nodiscard]] bool operator==(const Endpoint&) const = default;
};

struct ConnectionOptions {
  std::string conninfo;      // --dbname: conninfo string or URI; empty: libpq's own defaults
  bool replication = false;  // replication=database: a walsender that takes SQL as well
  // Set on the session, rounded up to whole kB; nullopt: the server's own.
  std::optional<std::uint64_t> logical_decoding_work_mem_bytes;
  // The server knows transaction_timeout (17+), which also ends a walsender in the middle of a
  // large transaction, over and over.
  bool has_transaction_timeout = false;
  // One host of the conninfo, by its address: no name is resolved. nullopt: as conninfo says.
  std::optional<Endpoint> endpoint;
};

// What libpq made of conninfo, environment, service file and defaults, before connecting.
struct ConnectionSettings {
  std::string host;  // may be a comma-separated list; empty: the default socket directory
  std::string hostaddr;
  std::string port;
  std::string dbname;
  std::string user;
  std::string sslmode;
  std::string options;                       // the operator's own, from wherever
  std::string connect_timeout;               // libpq's text; empty: not set
  std::set<std::string, std::less<>> given;  // keywords that have a value, defaults included
};

// Throws Error{kUsage} that never echoes the string.
[[nodiscard]] ConnectionSettings resolve_conninfo(const std::string& conninfo);

// `conninfo` as keywords, without passwords: what may be shown in a command to copy.
[[nodiscard]] std::string conninfo_without_secrets(const std::string& conninfo);

// Session settings that every connection of ours pins through its startup packet, so that neither
// database nor role nor server changes the text of a value: appended to the operator's own options.
// Before these stands that no time-out made for applications ends what we do: every wait of ours
// has a limit of its own.
[[nodiscard]] std::string session_options(std::string_view operators_own,
                                          const ConnectionOptions& connection);

struct ConnectionDeleter {
  void operator()(pg_conn* connection) const noexcept;
};
struct ResultDeleter {
  void operator()(pg_result* result) const noexcept;
};
using ResultPtr = std::unique_ptr<pg_result, ResultDeleter>;

// A message of the server that is no error, such as WARNING: "skipped loading publication".
struct Notice {
  std::string severity;  // "WARNING", "NOTICE", …
  std::string sqlstate;
  std::string message;
};

// One libpq connection, never blocking but for the resolution of host names, in the constructor and
// for further hosts in poll_login(); with ConnectionOptions::endpoint there are none. One thread.
// After an Error only destruction is allowed.
class Connection final {
 public:
  // Begins to connect. Throws Error{kUsage} for a conninfo that cannot be read.
  Connection(const ConnectionOptions& options, const Clock& clock);

  // Drives the login. True: logged in. Throws Error as pg_error.h maps it: retryable when the
  // server is not reachable or was not within the time that connect_timeout (default 10 s a host)
  // allows.
  [[nodiscard]] bool poll_login();

  // Sends one string of the simple protocol. No other may be under way.
  void start_query(const std::string& sql);
  // All results once the server has answered all of it; nullopt: not yet. Throws for the first
  // statement that failed.
  [[nodiscard]] std::optional<std::vector<ResultTable>> poll_query();

  [[nodiscard]] bool has_notices() const noexcept { return !notices_->empty(); }
  // What the server remarked since the last call; at most the 100 newest.
  [[nodiscard]] std::vector<Notice> take_notices();

  // Takes what the socket has and sends what it takes. Throws when the connection is lost.
  void consume_input();
  void flush();

  // When to call the poll function under way again.
  [[nodiscard]] WaitFor wait_for() const;
  [[nodiscard]] bool wants_flush() const noexcept { return wants_flush_; }
  [[nodiscard]] int socket() const noexcept;
  // After the login.
  [[nodiscard]] Endpoint endpoint() const;
  [[nodiscard]] bool is_encrypted() const noexcept;
  [[nodiscard]] std::int64_t backend_pid() const noexcept;
  [[nodiscard]] const ConnectionSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] pg_conn* native() noexcept { return connection_.get(); }

  [[nodiscard]] bool is_unix_socket() const noexcept;
  // False once the connection is known to be lost.
  [[nodiscard]] bool is_open() const noexcept;
  // SQLSTATE of the last Error; empty: it had none.
  [[nodiscard]] const std::string& last_sqlstate() const noexcept { return last_sqlstate_; }

  // The Error for a failed result, or for a connection that failed without one.
  [[nodiscard]] Error error_of(const pg_result* result);
  [[nodiscard]] Error connection_error();

 private:
  enum class LoginNeed { kNothing, kRead, kWrite };

  ConnectionSettings settings_;
  bool is_replication_;
  const Clock* clock_;
  std::unique_ptr<std::vector<Notice>> notices_;  // libpq knows its address
  std::unique_ptr<pg_conn, ConnectionDeleter> connection_;
  TimePoint login_deadline_;
  LoginNeed login_need_ = LoginNeed::kWrite;
  bool wants_flush_ = false;
  std::vector<ResultTable> results_;  // of the query under way
  std::string last_sqlstate_;
  std::optional<Error> query_error_;  // the first of the query under way
};

}  // namespace walpost
