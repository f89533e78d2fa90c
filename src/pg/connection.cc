#include "connection.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <new>
#include <utility>

#include "pg_error.h"
#include "walpost/check.h"
#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

using namespace std::chrono_literals;

// For one host: long enough for a loaded server's fork and TLS, short enough that a supervisor's
// log shows the reason soon.
constexpr auto kLoginTime = 10s;
// With several hosts libpq moves on only when the kernel gives up one of them, which it does after
// tcp_user_timeout (below); hence a little more than that for each.
constexpr auto kLoginTimePerHost = 17s;
// The server's remarks are for the log; a flood of them is worth no memory.
constexpr std::size_t kNoticesLimit = 100;

struct TcpDefault {
  const char* keyword;
  const char* value;
};
// A dead peer is found within about 15 s whether we send (tcp_user_timeout, ms) or only read
// (keepalives, s), where the kernel's own values are hours. Not set where the operator set one.
constexpr std::array kTcpDefaults = {
    TcpDefault{"keepalives_idle", "5"},
    TcpDefault{"keepalives_interval", "3"},
    TcpDefault{"keepalives_count", "3"},
    TcpDefault{"tcp_user_timeout", "15000"},
};

// An impossible value that libpq refuses after it has worked out all settings and before it
// touches the network. PQconninfo() then tells them, service file and environment included, which
// no other function of libpq does.
constexpr const char* kProbeKeyword = "target_session_attrs";
constexpr const char* kProbeValue = "settings-only";

struct OptionsDeleter {
  void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
};
using OptionsPtr = std::unique_ptr<PQconninfoOption, OptionsDeleter>;

// libpq's text quotes pieces of the string it could not read, which may be pieces of a password.
std::string without_quoted_text(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const auto first = text.find('"');
  const auto last = text.rfind('"');
  if (first == std::string_view::npos || last == first) return std::string(text);
  return fmt::format("{}\"…\"{}", text.substr(0, first), text.substr(last + 1));
}

Error conninfo_error(std::string_view libpq_text) {
  return Error(ExitCode::kUsage, "--dbname: cannot be read: " + without_quoted_text(libpq_text),
               "give keywords ('host=db dbname=app user=walpost') or a URI "
               "(postgresql://walpost@db/app), as for psql; in a URI, special characters are "
               "percent-encoded");
}

// Keywords and values for PQconnectStartParams.
class Parameters final {
 public:
  explicit Parameters(const std::string& conninfo) {
    // First, so that what we add afterwards wins. "dbname" is expanded when it is a conninfo or
    // URI.
    if (!conninfo.empty()) add("dbname", conninfo);
  }
  void add(std::string keyword, std::string value) {
    keywords_.push_back(std::move(keyword));
    values_.push_back(std::move(value));
  }
  [[nodiscard]] pg_conn* start() const {
    std::vector<const char*> keywords;
    std::vector<const char*> values;
    for (const auto& keyword : keywords_) keywords.push_back(keyword.c_str());
    for (const auto& value : values_) values.push_back(value.c_str());
    keywords.push_back(nullptr);
    values.push_back(nullptr);
    constexpr int kExpandDbname = 1;
    return PQconnectStartParams(keywords.data(), values.data(), kExpandDbname);
  }

 private:
  std::vector<std::string> keywords_;
  std::vector<std::string> values_;
};

void store(ConnectionSettings& settings, std::string_view keyword, const char* value) {
  const std::array<std::pair<std::string_view, std::string*>, 8> wanted = {{
      {"host", &settings.host},
      {"hostaddr", &settings.hostaddr},
      {"port", &settings.port},
      {"dbname", &settings.dbname},
      {"user", &settings.user},
      {"sslmode", &settings.sslmode},
      {"options", &settings.options},
      {"connect_timeout", &settings.connect_timeout},
  }};
  settings.given.emplace(keyword);
  for (const auto& [name, target] : wanted) {
    if (name == keyword) *target = value;
  }
}

std::ptrdiff_t hosts_of(const ConnectionSettings& settings) {
  const auto& list = settings.hostaddr.empty() ? settings.host : settings.hostaddr;
  return 1 + std::count(list.begin(), list.end(), ',');
}

Duration login_time(const ConnectionSettings& settings, std::ptrdiff_t hosts) {
  int seconds = 0;
  const auto& text = settings.connect_timeout;
  (void)std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (seconds > 0) return std::chrono::seconds(seconds) * hosts;
  return hosts == 1 ? Duration(kLoginTime) : Duration(kLoginTimePerHost * hosts);
}

// To libpq an empty value is none at all, so a list of addresses cannot be taken back for a host of
// it that is a unix socket: then the conninfo stays as it is.
std::optional<Endpoint> pinnable(const std::optional<Endpoint>& endpoint,
                                 const ConnectionSettings& settings) {
  if (endpoint && endpoint->hostaddr.empty() && !settings.hostaddr.empty()) return std::nullopt;
  return endpoint;
}

bool is_ready(int fd, bool to_read) {
  pollfd entry{.fd = fd, .events = static_cast<short>(to_read ? POLLIN : POLLOUT), .revents = 0};
  return ::poll(&entry, 1, 0) != 0;
}

void remember_notice(void* notices, const PGresult* result) noexcept {
  auto& list = *static_cast<std::vector<Notice>*>(notices);
  const auto field = [&](int code) {
    const char* text = PQresultErrorField(result, code);
    return std::string(text == nullptr ? "" : text);
  };
  if (list.size() == kNoticesLimit) list.erase(list.begin());
  list.push_back({field(PG_DIAG_SEVERITY_NONLOCALIZED), field(PG_DIAG_SQLSTATE),
                  field(PG_DIAG_MESSAGE_PRIMARY)});
}

ResultTable to_table(const PGresult* result) {
  ResultTable table;
  const int columns = PQnfields(result);
  for (int column = 0; column < columns; ++column) {
    table.columns.emplace_back(PQfname(result, column));
  }
  for (int row = 0; row < PQntuples(result); ++row) {
    auto& values = table.rows.emplace_back();
    for (int column = 0; column < columns; ++column) {
      if (PQgetisnull(result, row, column) != 0) {
        values.emplace_back(std::nullopt);
      } else {
        values.emplace_back(std::in_place, PQgetvalue(result, row, column),
                            static_cast<std::size_t>(PQgetlength(result, row, column)));
      }
    }
  }
  return table;
}

}  // namespace

void ConnectionDeleter::operator()(pg_conn* connection) const noexcept { PQfinish(connection); }
void ResultDeleter::operator()(pg_result* result) const noexcept { PQclear(result); }

ConnectionSettings resolve_conninfo(const std::string& conninfo) {
  Parameters parameters(conninfo);
  parameters.add(kProbeKeyword, kProbeValue);
  const std::unique_ptr<pg_conn, ConnectionDeleter> probe(parameters.start());
  if (!probe) throw std::bad_alloc();
  const std::string_view text = PQerrorMessage(probe.get());
  if (text.find(kProbeValue) == std::string_view::npos) throw conninfo_error(text);
  const OptionsPtr options(PQconninfo(probe.get()));
  if (!options) throw std::bad_alloc();
  ConnectionSettings settings;
  for (const auto* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val != nullptr) store(settings, option->keyword, option->val);
  }
  return settings;
}

std::string conninfo_without_secrets(const std::string& conninfo) {
  const bool is_list = conninfo.find('=') != std::string::npos ||
                       conninfo.starts_with("postgresql://") || conninfo.starts_with("postgres://");
  if (!is_list) return conninfo;
  const OptionsPtr options(PQconninfoParse(conninfo.c_str(), nullptr));
  if (!options) return {};
  std::string shown;
  for (const auto* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr || std::string_view(option->dispchar) == "*") continue;
    const std::string_view value = option->val;
    if (!shown.empty()) shown += ' ';
    shown += option->keyword;
    shown += '=';
    const bool is_plain = !value.empty() && value.find_first_of(" '\\\t\n") == std::string::npos;
    if (!is_plain) shown += '\'';
    for (const char c : value) {
      if (c == '\'' || c == '\\') shown += '\\';
      shown += c;
    }
    if (!is_plain) shown += '\'';
  }
  return shown;
}

std::string session_options(std::string_view operators_own, const ConnectionOptions& connection) {
  // Later ones win: those of the operator's conninfo over these two, ours below over all.
  std::string options = "-c statement_timeout=0 ";
  if (connection.has_transaction_timeout) options += "-c transaction_timeout=0 ";
  options += operators_own;
  if (!operators_own.empty()) options += ' ';
  options +=
      "-c datestyle=ISO -c timezone=UTC -c intervalstyle=postgres -c bytea_output=hex "
      "-c extra_float_digits=3 -c client_min_messages=warning";
  if (const auto bytes = connection.logical_decoding_work_mem_bytes) {
    options += fmt::format(" -c logical_decoding_work_mem={}kB", (*bytes + 1023) / 1024);
  }
  return options;
}

Connection::Connection(const ConnectionOptions& options, const Clock& clock)
    : settings_(resolve_conninfo(options.conninfo)),
      is_replication_(options.replication),
      clock_(&clock),
      notices_(std::make_unique<std::vector<Notice>>()),
      login_deadline_(clock.now() + login_time(settings_, hosts_of(settings_))) {
  const auto endpoint = pinnable(options.endpoint, settings_);
  if (endpoint) login_deadline_ = clock.now() + login_time(settings_, 1);
  Parameters parameters(options.conninfo);
  parameters.add("options", session_options(settings_.options, options));
  parameters.add("client_encoding", "UTF8");
  parameters.add("fallback_application_name", "walpost");
  if (options.replication) parameters.add("replication", "database");
  if (endpoint) {
    parameters.add("host", endpoint->host);
    parameters.add("hostaddr", endpoint->hostaddr);
    parameters.add("port", endpoint->port);
  }
  for (const auto& [keyword, value] : kTcpDefaults) {
    if (!settings_.given.contains(keyword)) parameters.add(keyword, value);
  }
  connection_.reset(parameters.start());
  if (!connection_) throw std::bad_alloc();
  // Before login there is no result to ask for a SQLSTATE: only this puts it into the text.
  PQsetErrorVerbosity(connection_.get(), PQERRORS_VERBOSE);
  PQsetNoticeReceiver(connection_.get(), remember_notice, notices_.get());
}

Endpoint Connection::endpoint() const {
  return {.host = PQhost(connection_.get()),
          .hostaddr = PQhostaddr(connection_.get()),
          .port = PQport(connection_.get())};
}

bool Connection::poll_login() {
  if (PQstatus(connection_.get()) == CONNECTION_BAD) throw connection_error();
  // Out of turn PQconnectPoll() takes a connection that is still being made for made.
  while (login_need_ == LoginNeed::kNothing ||
         is_ready(socket(), login_need_ == LoginNeed::kRead)) {
    switch (PQconnectPoll(connection_.get())) {
      case PGRES_POLLING_OK:
        if (PQsetnonblocking(connection_.get(), 1) != 0) throw connection_error();
        return true;
      case PGRES_POLLING_READING:
        login_need_ = LoginNeed::kRead;
        break;
      case PGRES_POLLING_WRITING:
        login_need_ = LoginNeed::kWrite;
        break;
      case PGRES_POLLING_ACTIVE:
        login_need_ = LoginNeed::kNothing;
        break;
      case PGRES_POLLING_FAILED:
        throw connection_error();
    }
  }
  if (clock_->now() < login_deadline_) return false;
  throw Error::retryable(
      ExitCode::kPostgresUnreachable,
      fmt::format("PostgreSQL at {} did not answer the login in time",
                  settings_.host.empty() ? "the local socket" : settings_.host),
      "check host and port, and what stands between (firewall, proxy); connect_timeout= in "
      "--dbname sets how long to wait");
}

void Connection::start_query(const std::string& sql) {
  results_.clear();
  query_error_.reset();
  if (PQsendQuery(connection_.get(), sql.c_str()) == 0) throw connection_error();
  flush();
}

std::optional<std::vector<ResultTable>> Connection::poll_query() {
  if (wants_flush_) flush();
  consume_input();
  while (PQisBusy(connection_.get()) == 0) {
    const ResultPtr result(PQgetResult(connection_.get()));
    if (!result) {
      if (query_error_) throw Error(*query_error_);
      return std::exchange(results_, {});
    }
    const auto status = PQresultStatus(result.get());
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
      results_.push_back(to_table(result.get()));
    } else if (!query_error_) {
      query_error_ = error_of(result.get());
    }
  }
  return std::nullopt;
}

std::vector<Notice> Connection::take_notices() { return std::exchange(*notices_, {}); }

void Connection::consume_input() {
  if (PQconsumeInput(connection_.get()) == 0) throw connection_error();
}

void Connection::flush() {
  const int left = PQflush(connection_.get());
  if (left < 0) throw connection_error();
  wants_flush_ = left > 0;
}

WaitFor Connection::wait_for() const {
  if (PQstatus(connection_.get()) == CONNECTION_OK) {
    return {.fd = socket(), .readable = true, .writable = wants_flush_};
  }
  const bool to_read = login_need_ == LoginNeed::kRead;
  return {.fd = socket(), .readable = to_read, .writable = !to_read, .at = login_deadline_};
}

int Connection::socket() const noexcept { return PQsocket(connection_.get()); }

bool Connection::is_encrypted() const noexcept {
  return PQsslInUse(connection_.get()) != 0 || PQgssEncInUse(connection_.get()) != 0;
}

std::int64_t Connection::backend_pid() const noexcept { return PQbackendPID(connection_.get()); }

bool Connection::is_unix_socket() const noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return ::getpeername(socket(), reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
         address.ss_family == AF_UNIX;
}

bool Connection::is_open() const noexcept { return PQstatus(connection_.get()) == CONNECTION_OK; }

Error Connection::error_of(const pg_result* result) {
  const auto field = [&](int code) {
    const char* text = PQresultErrorField(result, code);
    return std::string(text == nullptr ? "" : text);
  };
  PgErrorFields fields{.sqlstate = field(PG_DIAG_SQLSTATE),
                       .message = field(PG_DIAG_MESSAGE_PRIMARY),
                       .detail = field(PG_DIAG_MESSAGE_DETAIL),
                       .hint = field(PG_DIAG_MESSAGE_HINT)};
  if (fields.sqlstate.empty()) return connection_error();
  fields.message = "PostgreSQL: " + fields.message;
  last_sqlstate_ = fields.sqlstate;
  return to_error(fields);
}

Error Connection::connection_error() {
  auto fields = parse_login_error(PQerrorMessage(connection_.get()));
  if (fields.message.empty()) fields.message = "the connection was lost";
  fields.message = "PostgreSQL: " + fields.message;
  // libpq found no password where the server asked for one; the server has then said nothing.
  if (fields.sqlstate.empty() && PQconnectionNeedsPassword(connection_.get()) != 0) {
    fields.sqlstate = "28P01";
  }
  last_sqlstate_ = fields.sqlstate;
  if (fields.sqlstate == kInsufficientPrivilege && is_replication_) {
    return Error(ExitCode::kPostgresSetup, fields.message,
                 fmt::format("ALTER ROLE {} REPLICATION;", quote_identifier(settings_.user)));
  }
  return to_error(fields);
}

}  // namespace walpost
