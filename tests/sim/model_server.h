#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model_clock.h"
#include "random.h"
#include "walpost/source.h"
#include "wire/pgoutput_bytes.h"

namespace walpost::sim {

// One row of the outbox. The number is its place among all events ever committed.
struct Event {
  std::uint64_t number = 0;
  std::string key;
  std::string type;
};

struct Transaction {
  Lsn commit_lsn;
  Lsn end_lsn;
  PgTimestamp commit_time;
  std::vector<Event> events;
  std::uint64_t other_rows = 0;     // of a published table that is no outbox
  std::size_t column_rotation = 0;  // the outbox table's columns as of this transaction
};

// A PostgreSQL server with one slot: what `postgres-and-kafka-facts` measured, without sockets.
// Bytes wait on the wire in both directions until pump() moves them, and a lost connection loses
// them.
class ModelServer final {
 public:
  static constexpr std::chrono::milliseconds kWalSenderTimeout{6'000};

  // One walsender and its connection.
  struct Session {
    std::deque<wire::Bytes> to_client;
    std::deque<StandbyStatusUpdate> to_server;
    Lsn start;
    std::size_t next_transaction = 0;
    std::size_t next_message = 0;                   // of that transaction; 0: its Begin
    std::optional<std::size_t> announced_rotation;  // nullopt: the outbox was not announced
    bool other_announced = false;
    Lsn sent_lsn;       // all before is sent
    Lsn keepalive_lsn;  // of the last keepalive sent on its own
    bool reply_due = false;
    bool copy_done_received = false;
    bool copy_done_sent = false;
    TimePoint last_heard;
    bool asked = false;
    bool client_gone = false;  // the server has not noticed yet; the slot stays active
    bool broken = false;       // the client finds out at its next call
  };

  ModelServer(const ModelClock& clock, Random& random) : clock_(clock), random_(random) {}

  // What happens on the server.
  void commit(std::vector<Event> events, std::uint64_t other_rows);
  void write_other_wal() { wal_end_ = Lsn(wal_end_.value() + 8 + random_.below(1'000) * 8); }
  void alter_outbox() { ++column_rotation_; }
  // Payloads are NULL here and there, for which the catalog is asked, and it may fail to answer.
  void write_nulls() { writes_nulls_ = true; }
  [[nodiscard]] bool writes_nulls() const { return writes_nulls_; }
  void checkpoint() { confirmed_on_disk_ = confirmed_; }
  // Connections are lost; the slot is where the last checkpoint left it.
  void crash();
  // Another server takes over: a new timeline, with the slot as it was synced some time ago.
  void promote();
  void break_connection();
  // The walsender notices a client that has gone, and gives the slot free.
  void notice_gone_client();
  void refuse_logins(std::uint64_t count) { refused_logins_ = count; }
  void drop_copy_done_answer(bool drop) { drops_copy_done_answer_ = drop; }

  // One unit of a walsender's work. False: nothing to do.
  bool pump();
  // Ends a session whose client was silent for too long.
  void tick();

  // For the Source.
  [[nodiscard]] bool take_login();
  [[nodiscard]] ServerIdentity identity() const;
  [[nodiscard]] bool is_slot_active() const { return session_.has_value(); }
  void start_session(Lsn start);
  [[nodiscard]] Session& session() { return *session_; }
  void client_closes();

  [[nodiscard]] Lsn confirmed() const { return confirmed_; }
  // What it had confirmed at some time, though a crash may have made it forget.
  [[nodiscard]] Lsn ever_confirmed() const { return ever_confirmed_; }
  [[nodiscard]] Lsn wal_end() const { return wal_end_; }
  [[nodiscard]] const std::vector<Transaction>& wal() const { return wal_; }
  [[nodiscard]] std::uint64_t timed_out_sessions() const { return timed_out_sessions_; }

 private:
  static constexpr std::size_t kSocketFrames = 12;

  bool send_next(Session& session);
  bool send_transaction(Session& session, const Transaction& transaction);
  void send_row(Session& session, const Transaction& transaction, std::size_t row);
  void receive_status(Session& session);

  const ModelClock& clock_;
  Random& random_;
  std::vector<Transaction> wal_;
  Lsn wal_end_{0x1000};
  Lsn confirmed_{0x1000};
  Lsn confirmed_on_disk_{0x1000};
  Lsn ever_confirmed_{0x1000};
  std::uint32_t timeline_ = 1;
  std::size_t column_rotation_ = 0;
  bool writes_nulls_ = false;
  std::uint64_t refused_logins_ = 0;
  std::uint64_t timed_out_sessions_ = 0;
  bool drops_copy_done_answer_ = false;
  std::optional<Session> session_;
};

}  // namespace walpost::sim
