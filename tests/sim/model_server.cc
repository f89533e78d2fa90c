#include "model_server.h"

#include <algorithm>

namespace walpost::sim {
namespace {

constexpr std::uint32_t kOutboxRelid = 1;
constexpr std::uint32_t kOtherRelid = 2;

// The outbox's columns, and a row of them, in the order that ALTER TABLE left.
template <typename T>
std::vector<T> rotated(std::vector<T> columns, std::size_t by) {
  std::rotate(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(by % columns.size()),
              columns.end());
  return columns;
}

wire::Bytes announce_outbox(std::size_t rotation) {
  return wire::relation(
      kOutboxRelid, "public", "outbox",
      rotated<wire::Column>({{"id"}, {"aggregatetype"}, {"aggregateid"}, {"payload"}}, rotation));
}

}  // namespace

void ModelServer::commit(std::vector<Event> events, std::uint64_t other_rows) {
  write_other_wal();
  Transaction transaction{.commit_lsn = wal_end_,
                          .end_lsn = Lsn(wal_end_.value() + 48),
                          .commit_time = clock_.wall_now(),
                          .events = std::move(events),
                          .other_rows = other_rows,
                          .column_rotation = column_rotation_};
  wal_end_ = transaction.end_lsn;
  wal_.push_back(std::move(transaction));
}

void ModelServer::crash() {
  break_connection();
  session_.reset();
  confirmed_ = confirmed_on_disk_;
}

void ModelServer::promote() {
  crash();
  ++timeline_;
}

void ModelServer::break_connection() {
  if (!session_) return;
  session_->broken = true;
  session_->to_client.clear();
  // What was on its way to the server may still have arrived.
  const auto arrived = random_.below(session_->to_server.size() + 1);
  for (std::size_t i = 0; i < arrived; ++i) receive_status(*session_);
  session_->to_server.clear();
}

void ModelServer::notice_gone_client() {
  if (session_ && (session_->client_gone || session_->broken)) session_.reset();
}

bool ModelServer::take_login() {
  if (refused_logins_ == 0) return true;
  --refused_logins_;
  return false;
}

ServerIdentity ModelServer::identity() const {
  return {.system_identifier = "7",
          .timeline = timeline_,
          .flush_lsn = wal_end_,
          .confirmed_flush_lsn = confirmed_,
          .wal_sender_timeout = kWalSenderTimeout};
}

void ModelServer::start_session(Lsn start) {
  session_ = Session{};
  session_->start = std::max(start, confirmed_);
  session_->sent_lsn = session_->start;
  session_->keepalive_lsn = session_->start;
  session_->last_heard = clock_.now();
}

void ModelServer::client_closes() {
  if (!session_) return;
  if (session_->copy_done_sent) {
    session_.reset();
    return;
  }
  session_->client_gone = true;
  session_->to_client.clear();
  if (random_.percent(60)) break_connection();
  if (random_.percent(60)) session_.reset();
}

void ModelServer::tick() {
  if (!session_ || session_->broken || session_->copy_done_sent) return;
  const auto silence = clock_.now() - session_->last_heard;
  if (silence >= kWalSenderTimeout) {
    if (!session_->client_gone) ++timed_out_sessions_;
    break_connection();
    session_.reset();
  } else if (silence >= kWalSenderTimeout / 2 && !session_->asked) {
    session_->asked = true;
    session_->to_client.push_back(wire::keepalive(session_->sent_lsn, true));
  }
}

bool ModelServer::pump() {
  if (!session_ || session_->broken) return false;
  Session& session = *session_;
  if (!session.to_server.empty() && random_.percent(50)) {
    receive_status(session);
    return true;
  }
  if (session.client_gone) return false;
  return send_next(session);
}

void ModelServer::receive_status(Session& session) {
  const StandbyStatusUpdate status = session.to_server.front();
  session.to_server.pop_front();
  confirmed_ = std::max(confirmed_, status.flush_lsn);
  ever_confirmed_ = std::max(ever_confirmed_, confirmed_);
  session.reply_due = session.reply_due || status.reply_requested;
  session.last_heard = clock_.now();
  session.asked = false;
}

bool ModelServer::send_next(Session& session) {
  if (session.copy_done_sent || session.to_client.size() >= kSocketFrames) return false;
  if (session.reply_due) {
    session.reply_due = false;
    session.to_client.push_back(wire::keepalive(session.sent_lsn, false));
    return true;
  }
  if (session.next_message == 0) {
    if (session.copy_done_received && session.to_server.empty() && !drops_copy_done_answer_) {
      session.copy_done_sent = true;
      return true;
    }
    while (session.next_transaction < wal_.size() &&
           wal_[session.next_transaction].commit_lsn < session.start) {
      ++session.next_transaction;
    }
  }
  if (session.next_transaction < wal_.size()) {
    return send_transaction(session, wal_[session.next_transaction]);
  }
  session.sent_lsn = std::max(session.sent_lsn, wal_end_);
  if (session.keepalive_lsn >= session.sent_lsn) return false;
  session.keepalive_lsn = session.sent_lsn;
  session.to_client.push_back(wire::keepalive(session.sent_lsn, random_.percent(20)));
  return true;
}

bool ModelServer::send_transaction(Session& session, const Transaction& transaction) {
  const std::size_t row_count = transaction.events.size() + transaction.other_rows;
  const std::size_t message = session.next_message++;
  const std::int64_t commit_time = transaction.commit_time.value();
  if (message > 0 && random_.percent(5)) {
    // In the middle of a transaction the server's position may stand at its end already.
    --session.next_message;
    session.to_client.push_back(wire::keepalive(transaction.end_lsn, random_.percent(50)));
  } else if (message == 0) {
    session.to_client.push_back(wire::x_log_data(
        transaction.commit_lsn, wire::begin(transaction.commit_lsn, commit_time, 1)));
  } else if (message <= row_count) {
    send_row(session, transaction, message - 1);
  } else {
    session.to_client.push_back(
        wire::x_log_data(transaction.end_lsn,
                         wire::commit(transaction.commit_lsn, transaction.end_lsn, commit_time)));
    session.next_message = 0;
    ++session.next_transaction;
    session.sent_lsn = std::max(session.sent_lsn, transaction.end_lsn);
  }
  return true;
}

void ModelServer::send_row(Session& session, const Transaction& transaction, std::size_t row) {
  const auto send = [&](const wire::Bytes& data, Lsn lsn) {
    session.to_client.push_back(wire::x_log_data(lsn, data));
  };
  if (row >= transaction.events.size()) {
    if (!session.other_announced) {
      session.other_announced = true;
      send(wire::relation(kOtherRelid, "public", "orders", {{"id"}}), Lsn());
    }
    return send(wire::insert(kOtherRelid, {"1"}), transaction.commit_lsn);
  }
  const std::size_t rotation = transaction.column_rotation;
  if (session.announced_rotation != rotation) {
    session.announced_rotation = rotation;
    send(announce_outbox(rotation), Lsn());
  }
  const Event& event = transaction.events[row];
  const std::string number = std::to_string(event.number);
  const bool is_null = writes_nulls_ && event.number % 8 == 3;
  const wire::Value payload = is_null ? wire::Value() : wire::Value("payload " + number);
  send(wire::insert(kOutboxRelid,
                    rotated<wire::Value>({number, event.type, event.key, payload}, rotation)),
       transaction.commit_lsn);
}

}  // namespace walpost::sim
