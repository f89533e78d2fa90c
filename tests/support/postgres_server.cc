#include "postgres_server.h"

#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>

#include "database.h"
#include "free_port.h"

namespace walpost::test {
namespace {

std::filesystem::path bin_directory(int major) {
  const std::array candidates{
      servers_directory() / ("pg" + std::to_string(major)) / "bin",
      std::filesystem::path("/usr/lib/postgresql") / std::to_string(major) / "bin"};
  const auto* found = std::ranges::find_if(
      candidates, [](const auto& bin) { return std::filesystem::exists(bin / "postgres"); });
  if (found == candidates.end()) {
    throw std::runtime_error("no PostgreSQL " + std::to_string(major) + " in " +
                             candidates[0].string() + " or " + candidates[1].string() +
                             "; scripts/lib/servers provides it");
  }
  return *found;
}

bool is_root() { return ::geteuid() == 0; }

// PostgreSQL refuses to run as root, so root runs it as `nobody`. It keeps root's right to pass
// directories that are closed to others, since the source tree may lie in one; access(2), by which
// initdb looks for its programs, honours that right only with no_setuid_fixup.
std::vector<std::string> unprivileged_prefix() {
  if (!is_root()) return {};
  return {"setpriv",
          "--reuid=nobody",
          "--regid=" + std::to_string(::getpwnam("nobody")->pw_gid),
          "--clear-groups",
          "--inh-caps=+dac_override",
          "--ambient-caps=+dac_override",
          "--securebits=+no_setuid_fixup",
          "--pdeathsig=KILL",
          "--"};
}

void give_to_server_account(const std::filesystem::path& directory) {
  if (!is_root()) return;
  const passwd* account = ::getpwnam("nobody");
  if (account == nullptr || ::chown(directory.c_str(), account->pw_uid, account->pw_gid) != 0) {
    throw std::runtime_error("cannot give " + directory.string() + " to the account nobody");
  }
}

int signal_of(StopMode mode) {
  switch (mode) {
    case StopMode::kSmart:
      return SIGTERM;
    case StopMode::kFast:
      return SIGINT;
    case StopMode::kImmediate:
      return SIGQUIT;
  }
  throw std::logic_error("no such stop mode");
}

std::string quoted(const std::string& value) {
  std::string result = "'";
  for (const char c : value) {
    if (c == '\'') result += '\'';
    result += c;
  }
  return result + "'";
}

}  // namespace

PostgresServer::PostgresServer(int major, const Settings& settings)
    : major_(major),
      port_(free_port()),
      log_file_(new_log_file("postgres-" + std::to_string(major))) {
  give_to_server_account(scratch_.path());
  initialize(settings);
  start();
}

PostgresServer::~PostgresServer() {
  if (!postmaster_) return;
  postmaster_->signal_tree(SIGCONT);
  postmaster_->signal(SIGQUIT);
  // What still runs after that is killed by ~ChildProcess.
  static_cast<void>(postmaster_->wait_exit_for(std::chrono::seconds(10)));
}

PostgresServer& PostgresServer::shared(int major) {
  static std::map<int, std::unique_ptr<PostgresServer>> servers;
  auto& server = servers[major];
  if (!server) server = std::make_unique<PostgresServer>(major);
  return *server;
}

ChildOptions PostgresServer::command(const std::string& program,
                                     const std::vector<std::string>& arguments) const {
  ChildOptions options{.stdout_file = log_file_, .stderr_file = log_file_};
  options.argv = unprivileged_prefix();
  options.argv.push_back(bin_directory(major_) / program);
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  return options;
}

void PostgresServer::initialize(const Settings& settings) {
  run_to_success(command("initdb", {"-D", data_directory(), "-U", "postgres", "-A", "trust", "-E",
                                    "UTF8", "--no-locale", "--no-sync"}),
                 kPatience);
  set("listen_addresses", "127.0.0.1");
  set("port", std::to_string(port_));
  set("unix_socket_directories", scratch_.path());
  set("wal_level", "logical");
  set("max_wal_senders", "32");
  set("max_replication_slots", "32");
  set("shared_buffers", "32MB");
  set("fsync", "off");
  set("log_line_prefix", "%m [%p] %q%a ");
  for (const auto& [name, value] : settings) set(name, value);
}

void PostgresServer::set(const std::string& name, const std::string& value) {
  std::ofstream(data_directory() / "postgresql.conf", std::ios::app)
      << name << " = " << quoted(value) << "\n";
}

void PostgresServer::start() {
  postmaster_.emplace(command("postgres", {"-D", data_directory()}));
  const std::string target = conninfo();
  poll_until("PostgreSQL " + std::to_string(major_) + " accepts connections", kPatience, [&] {
    if (!postmaster_->running()) {
      postmaster_.reset();
      throw std::runtime_error("PostgreSQL " + std::to_string(major_) + " did not start" +
                               log_tail(log_file_));
    }
    return PQping(target.c_str()) == PQPING_OK;
  });
}

void PostgresServer::request_stop(StopMode mode) { postmaster_.value().signal(signal_of(mode)); }

void PostgresServer::wait_stopped(std::chrono::milliseconds limit) {
  static_cast<void>(postmaster_.value().wait_exit(limit));
  postmaster_.reset();
}

void PostgresServer::stop(StopMode mode, std::chrono::milliseconds limit) {
  request_stop(mode);
  wait_stopped(limit);
}

void PostgresServer::restart(StopMode mode) {
  stop(mode);
  start();
}

void PostgresServer::kill() {
  postmaster_.value().signal_tree(SIGKILL);
  wait_stopped();
}

void PostgresServer::pause() { postmaster_.value().signal_tree(SIGSTOP); }

void PostgresServer::resume() { postmaster_.value().signal_tree(SIGCONT); }

void PostgresServer::reload() { Database(conninfo()).exec("SELECT pg_reload_conf()"); }

std::string PostgresServer::create_database() {
  const std::string name = "t" + std::to_string(++databases_created_);
  Database(conninfo()).exec("CREATE DATABASE " + name);
  return name;
}

std::string PostgresServer::conninfo(const std::string& database, const std::string& user) const {
  return "host=127.0.0.1 port=" + std::to_string(port_) + " dbname=" + quoted(database) +
         " user=" + quoted(user);
}

std::string PostgresServer::socket_conninfo(const std::string& database,
                                            const std::string& user) const {
  return "host=" + quoted(scratch_.path()) + " port=" + std::to_string(port_) +
         " dbname=" + quoted(database) + " user=" + quoted(user);
}

}  // namespace walpost::test
