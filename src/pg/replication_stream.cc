#include "replication_stream.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "findings.h"
#include "pg_error.h"
#include "quoting.h"
#include "walpost/check.h"
#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

using namespace std::chrono_literals;

// A server that took the login answers what we ask within milliseconds; one that does not is better
// asked again over a new connection. Setting up has no such limit: it waits for transactions.
constexpr auto kAnswerTime = 30s;
// How often the report is looked after while it works; its descriptor is not in the poll set.
constexpr auto kWaitReportInterval = 50ms;

constexpr int kVersionWithTransactionTimeout = 170000;

// A TLS record may lie decrypted in libpq's TLS layer where poll(2) does not see it. Every read
// that leaves something there has filled libpq's buffer by 8 KB or more, and above 32 KB libpq
// reads until nothing is left: after five reads without a whole message nothing is hidden.
constexpr int kEncryptedReads = 5;

std::string start_replication_sql(const Wanted& wanted, Lsn start) {
  const std::array names{wanted.publication};
  return fmt::format(
      "START_REPLICATION SLOT {} LOGICAL {} (\"proto_version\" '1', \"publication_names\" {})",
      quote_identifier(wanted.slot), start.to_string(),
      quote_replication_literal(publication_names(names)));
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

bool is_out_of_memory(std::string_view text) {
  return text.find("out of memory") != std::string_view::npos ||
         text.find("cannot allocate memory") != std::string_view::npos ||
         text.find("lost synchronization") != std::string_view::npos;
}

}  // namespace

void ReplicationStream::FrameDeleter::operator()(char* frame) const noexcept { PQfreemem(frame); }

ReplicationStream::ReplicationStream(ReplicationStreamOptions options, const Clock& clock, Log log)
    : options_(std::move(options)), clock_(clock), log_(std::move(log)) {}

ReplicationStream::~ReplicationStream() { close(); }

void ReplicationStream::connect() {
  close();
  connection_ =
      std::make_unique<Connection>(ConnectionOptions{.conninfo = options_.conninfo}, clock_);
  phase_ = Phase::kLogin;
}

// The connection that streams asks nothing about the catalog: what a walsender has looked up stays
// in its caches, and decoding then takes the present for the past. Seen with a publication younger
// than the slot: rows from before it were left out instead of ending the stream with an error.
void ReplicationStream::begin_walsender() {
  connection_ = std::make_unique<Connection>(
      ConnectionOptions{
          .conninfo = options_.conninfo,
          .replication = true,
          .logical_decoding_work_mem_bytes = options_.logical_decoding_work_mem_bytes,
          .has_transaction_timeout = state_.version_num >= kVersionWithTransactionTimeout,
          .endpoint = endpoint_},
      clock_);
  phase_ = Phase::kWalsenderLogin;
}

void ReplicationStream::close() noexcept {
  frame_.reset();
  relation_facts_query_.reset();
  wait_report_.reset();
  connection_.reset();
  steps_.clear();
  phase_ = Phase::kClosed;
}

void ReplicationStream::begin(Phase phase, const std::string& sql) {
  phase_ = phase;
  answer_deadline_ = clock_.now() + kAnswerTime;
  connection_->start_query(sql);
}

std::optional<ServerIdentity> ReplicationStream::poll_connected() {
  CHECK(phase_ != Phase::kClosed && phase_ <= Phase::kReady);
  while (phase_ != Phase::kReady) {
    if (!poll_phase()) return std::nullopt;
  }
  return identity_;
}

bool ReplicationStream::poll_login() {
  if (!connection_->poll_login()) return false;
  endpoint_ = connection_->endpoint();
  if (phase_ == Phase::kLogin) {
    begin(Phase::kInspect, server_state_sql(options_.wanted));
  } else {
    begin(Phase::kIdentify, "IDENTIFY_SYSTEM");
  }
  return true;
}

bool ReplicationStream::poll_phase() {
  if (phase_ == Phase::kLogin || phase_ == Phase::kWalsenderLogin) return poll_login();
  if (phase_ == Phase::kCountRows) return poll_rows_counted();
  if (phase_ == Phase::kSetup) wait_report_->poll();
  const auto results = poll_answer();
  if (!results) return false;
  switch (phase_) {
    case Phase::kIdentify:
      on_identified(result_at(*results, 0));
      break;
    case Phase::kInspect:
      on_inspected(*results);
      break;
    case Phase::kSetup:
      on_step_done();
      break;
    case Phase::kClosed:
    case Phase::kLogin:
    case Phase::kCountRows:
    case Phase::kWalsenderLogin:
    case Phase::kReady:
    case Phase::kStarting:
    case Phase::kStreaming:
    case Phase::kFinishing:
    case Phase::kFinished:
      CHECK(false);
  }
  return true;
}

std::optional<std::vector<ResultTable>> ReplicationStream::poll_answer() {
  try {
    auto results = connection_->poll_query();
    if (!results && phase_ != Phase::kSetup) check_answer_deadline();
    return results;
  } catch (const Error& error) {
    if (phase_ != Phase::kSetup) throw;
    if (connection_->last_sqlstate() == kDuplicateObject) return std::vector<ResultTable>{};
    throw with_statement(error, steps_[next_step_].sql);
  }
}

void ReplicationStream::check_answer_deadline() const {
  if (clock_.now() < answer_deadline_) return;
  throw Error::retryable(ExitCode::kPostgresUnreachable,
                         "PostgreSQL took the login and then did not answer in time",
                         "look whether the server is stopped or overloaded");
}

void ReplicationStream::on_identified(const ResultTable& system) {
  identity_.system_identifier = system.text(0, "systemid");
  identity_.timeline = static_cast<std::uint32_t>(system.number(0, "timeline").value_or(0));
  if (identity_.system_identifier.empty()) throw odd_answer("systemid is NULL");
  if (identity_.timeline == 0) throw odd_answer("timeline is not a timeline");
  const auto flushed = system.lsn(0, "xlogpos");
  if (!flushed) throw odd_answer("xlogpos is NULL");
  identity_.flush_lsn = *flushed;
  was_ready_ = true;
  phase_ = Phase::kReady;
}

void ReplicationStream::on_inspected(const std::vector<ResultTable>& results) {
  state_ = parse_server_state(results, options_.wanted);
  state_.host = connection_->settings().host;
  state_.sslmode = connection_->settings().sslmode;
  // Only before the first stream: a slot that vanished later takes rows with it, and a new one
  // would hide that.
  if (options_.auto_setup && !was_ready_ && !is_set_up_) {
    auto plan = plan_setup(state_, options_.wanted, *options_.auto_setup);
    if (!plan.obstacles.empty()) throw to_error(plan.obstacles.front());
    if (const auto warning = missing_slot_warning(state_, options_.wanted)) log_finding(*warning);
    if (!plan.steps.empty()) {
      steps_ = std::move(plan.steps);
      next_step_ = 0;
      begin_step();
      return;
    }
  }
  check_findings();
  const auto& slot = *state_.slot;
  identity_.confirmed_flush_lsn = slot.confirmed_flush_lsn.value_or(Lsn());
  identity_.wal_sender_timeout = state_.wal_sender_timeout;
  // Once in the life of the process, and as long as the slot seems never to have sent anything.
  const bool may_be_first_start = !was_ready_ && slot.total_txns == 0;
  next_counted_table_ = may_be_first_start ? 0 : state_.tables.size();
  count_next_table();
}

void ReplicationStream::check_findings() {
  const auto findings = examine(state_, options_.wanted);
  for (const auto& finding : findings) {
    if (finding.severity == Severity::kError) throw to_error(finding);
  }
  if (const auto& holder = state_.slot->holder) {
    throw Error::retryable(ExitCode::kPostgresSetup,
                           fmt::format("slot {} is active, held by {}",
                                       quote_identifier(options_.wanted.slot), holder->to_string()),
                           "it is taken over as soon as that process lets it go");
  }
  if (std::exchange(findings_logged_, true)) return;
  for (const auto& finding : findings) log_finding(finding);
}

void ReplicationStream::log_finding(const Finding& finding) {
  const bool is_warning = finding.severity == Severity::kWarning;
  log_(is_warning ? LogLevel::kWarn : LogLevel::kInfo,
       fmt::format("{}: {}", finding.what, finding.why), {{"hint", one_line(finding.mend)}});
}

void ReplicationStream::begin_step() {
  const auto& step = steps_[next_step_];
  wait_report_.emplace(SlotWaitReportOptions{.conninfo = options_.conninfo,
                                             .endpoint = connection_->endpoint(),
                                             .backend_pid = connection_->backend_pid(),
                                             .kind = step.kind},
                       clock_, log_);
  begin(Phase::kSetup, guarded_sql(step));
}

void ReplicationStream::on_step_done() {
  const auto& step = steps_[next_step_];
  log_(LogLevel::kInfo, "set up", {{"sql", step.sql}, {"why", step.why}});
  wait_report_.reset();
  if (step.kind == StepKind::kSlot) made_slot_ = true;
  if (++next_step_ < steps_.size()) {
    begin_step();
    return;
  }
  steps_.clear();
  is_set_up_ = true;
  begin(Phase::kInspect, server_state_sql(options_.wanted));
}

void ReplicationStream::count_next_table() {
  while (next_counted_table_ < state_.tables.size()) {
    const auto& table = state_.tables[next_counted_table_];
    if (table.may_select) {
      begin(Phase::kCountRows, rows_before_sql(table.name, options_.wanted.slot));
      return;
    }
    on_rows_counted(rows_unreadable(table.name));
  }
  begin_walsender();
}

bool ReplicationStream::poll_rows_counted() {
  const auto& table = state_.tables[next_counted_table_].name;
  try {
    const auto results = connection_->poll_query();
    if (!results) {
      check_answer_deadline();
      return false;
    }
    on_rows_counted(parse_rows_before(table, results->back()));
  } catch (const Error& error) {
    // A lock on the table, or a scan that takes too long, is no reason not to stream. Without a
    // connection there is nothing to go on with.
    if (!connection_->is_open() || clock_.now() >= answer_deadline_) throw;
    on_rows_counted(rows_uncounted(table, error.what()));
  }
  count_next_table();
  return true;
}

void ReplicationStream::on_rows_counted(const RowsBefore& rows) {
  log_rows_before(rows, options_.wanted.slot, made_slot_ ? SlotAge::kNew : SlotAge::kUnused, log_);
  ++next_counted_table_;
}

void ReplicationStream::start_replication(Lsn start) {
  CHECK(phase_ == Phase::kReady);
  may_have_frames_ = false;
  copy_ended_ = false;
  pace_ =
      ReadPace(connection_->is_unix_socket() ? ReadPace::Wire::kUnixSocket : ReadPace::Wire::kTcp);
  const auto sql = start_replication_sql(options_.wanted, start);
  if (PQsendQuery(connection_->native(), sql.c_str()) == 0) throw connection_->connection_error();
  connection_->flush();
  phase_ = Phase::kStarting;
  answer_deadline_ = clock_.now() + kAnswerTime;
}

bool ReplicationStream::poll_streaming() {
  if (phase_ == Phase::kStreaming) return true;
  CHECK(phase_ == Phase::kStarting);
  if (connection_->wants_flush()) connection_->flush();
  connection_->consume_input();
  if (PQisBusy(connection_->native()) != 0) {
    check_answer_deadline();
    return false;
  }
  const ResultPtr result(PQgetResult(connection_->native()));
  if (PQresultStatus(result.get()) != PGRES_COPY_BOTH) fail_stream(result.get());
  phase_ = Phase::kStreaming;
  return true;
}

std::optional<ReplicationMessage> ReplicationStream::try_receive() {
  CHECK(phase_ == Phase::kStreaming);
  int size = take_frame();
  const int reads = connection_->is_encrypted() ? kEncryptedReads : 1;
  for (int read = 0; size == 0 && read < reads; ++read) {
    if (!read_portion()) return std::nullopt;
    size = take_frame();
  }
  if (size == 0) return std::nullopt;
  return decode_replication_message(
      std::as_bytes(std::span(frame_.get(), static_cast<std::size_t>(size))));
}

bool ReplicationStream::read_portion() {
  if (connection_->wants_flush()) connection_->flush();
  const auto now = clock_.now();
  if (!pace_.may_read(now)) return false;
  int queued_bytes = 0;
  if (::ioctl(connection_->socket(), FIONREAD, &queued_bytes) != 0) queued_bytes = 0;
  pace_.on_read(now, static_cast<std::size_t>(queued_bytes));
  connection_->consume_input();
  return true;
}

int ReplicationStream::take_frame() {
  constexpr int kAsync = 1;
  char* frame = nullptr;
  const int size = copy_ended_ ? -1 : PQgetCopyData(connection_->native(), &frame, kAsync);
  frame_.reset(frame);
  may_have_frames_ = size > 0;
  if (connection_->has_notices()) take_notices();
  if (size >= 0) return size;
  if (size == -2) {
    if (const std::string_view text = PQerrorMessage(connection_->native());
        is_out_of_memory(text)) {
      throw Error(ExitCode::kUndecodable,
                  "a message of the stream does not fit into memory, or is no message",
                  "give walpost more memory: it holds a row twice while it passes it on");
    }
    throw connection_->connection_error();
  }
  copy_ended_ = true;
  // PQgetResult() would wait for the rest of it.
  if (PQisBusy(connection_->native()) != 0) return 0;
  const ResultPtr result(PQgetResult(connection_->native()));
  if (phase_ == Phase::kFinishing && PQresultStatus(result.get()) != PGRES_FATAL_ERROR) {
    phase_ = Phase::kFinished;
    return 0;
  }
  fail_stream(result.get());
}

void ReplicationStream::fail_stream(const pg_result* result) {
  if (PQresultStatus(result) != PGRES_FATAL_ERROR) {
    throw Error::retryable(ExitCode::kPostgresUnreachable,
                           "PostgreSQL ended the stream: it is being shut down or restarted");
  }
  const auto error = connection_->error_of(result);
  if (connection_->last_sqlstate() == kUndefinedObject) throw young_publication(error.what());
  throw Error(error);
}

// The server reads the catalog as it was at the position it decodes.
Error ReplicationStream::young_publication(std::string_view what) const {
  const auto& slot = options_.wanted.slot;
  return Error(ExitCode::kPostgresSetup,
               fmt::format("{}; at the position of slot {} it did not exist yet, and the server "
                           "reads the catalog as it was then",
                           what, quote_identifier(slot)),
               fmt::format("make the slot anew (rows committed before that are not sent): SELECT "
                           "pg_drop_replication_slot({});\n{}",
                           quote_literal(slot), setup_command(options_.wanted)));
}

void ReplicationStream::take_notices() {
  for (const auto& notice : connection_->take_notices()) {
    // PostgreSQL 18 passes over a publication that does not exist where 17 and before end the
    // stream; the rows that it leaves out would then be confirmed unsent.
    if (notice.severity == "WARNING" && notice.sqlstate == kObjectNotInPrerequisiteState) {
      throw young_publication(notice.message);
    }
    log_(LogLevel::kWarn, "PostgreSQL: " + notice.message,
         {{"slot", options_.wanted.slot}, {"sqlstate", notice.sqlstate}});
  }
}

void ReplicationStream::send_status(const StandbyStatusUpdate& status) {
  CHECK(phase_ == Phase::kStreaming);
  const auto message = encode(status);
  // 0 means that there is no memory for 34 bytes more: a later status says the same and more.
  if (PQputCopyData(connection_->native(), reinterpret_cast<const char*>(message.data()),
                    static_cast<int>(message.size())) < 0) {
    throw connection_->connection_error();
  }
  connection_->flush();
}

void ReplicationStream::send_copy_done() {
  CHECK(phase_ == Phase::kStreaming);
  if (PQputCopyEnd(connection_->native(), nullptr) <= 0) throw connection_->connection_error();
  connection_->flush();
  phase_ = Phase::kFinishing;
}

bool ReplicationStream::poll_finished() {
  if (phase_ == Phase::kFinished) return true;
  CHECK(phase_ == Phase::kFinishing);
  if (connection_->wants_flush()) connection_->flush();
  connection_->consume_input();
  while (take_frame() > 0) {
  }
  frame_.reset();
  return phase_ == Phase::kFinished;
}

void ReplicationStream::request_relation_facts(Oid relid) {
  CHECK(phase_ == Phase::kStreaming && !relation_facts_query_);
  relation_facts_query_.emplace(
      ConnectionOptions{.conninfo = options_.conninfo, .endpoint = endpoint_}, relid, clock_);
}

std::optional<RelationFacts> ReplicationStream::poll_relation_facts() {
  CHECK(relation_facts_query_);
  auto facts = relation_facts_query_->poll();
  if (facts) relation_facts_query_.reset();
  return facts;
}

WaitFor ReplicationStream::wait_for_relation_facts() const {
  return relation_facts_query_ ? relation_facts_query_->wait_for() : WaitFor{};
}

WaitFor ReplicationStream::wait_for(bool reading) const {
  switch (phase_) {
    case Phase::kClosed:
    case Phase::kFinished:
      return {};
    case Phase::kReady:
      return {.at = clock_.now()};
    case Phase::kLogin:
    case Phase::kWalsenderLogin:
    case Phase::kFinishing:
      return connection_->wait_for();
    case Phase::kIdentify:
    case Phase::kInspect:
    case Phase::kCountRows:
    case Phase::kStarting: {
      auto wait = connection_->wait_for();
      wait.at = answer_deadline_;
      return wait;
    }
    case Phase::kSetup: {
      auto wait = connection_->wait_for();
      const auto report = wait_report_->wait_for();
      wait.at = report.fd < 0 ? report.at : clock_.now() + kWaitReportInterval;
      return wait;
    }
    case Phase::kStreaming:
      break;
  }
  // A status that the socket did not take waits for the next one, or for try_receive().
  if (!reading) return {};
  const auto now = clock_.now();
  if (may_have_frames_) return {.at = now};
  if (const auto until = pace_.paused_until(now)) return {.at = *until};
  return connection_->wait_for();
}

}  // namespace walpost
