#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "walpost/clock.h"
#include "walpost/log.h"

namespace walpost {

// Whether somebody answers at the brokers' addresses, and the two log lines about it. Never used
// for a decision about a record.
class BrokerWatch final {
 public:
  // `log` and `clock` must outlive it.
  BrokerWatch(std::string bootstrap, const Log& log, const Clock& clock);

  [[nodiscard]] const std::string& bootstrap() const noexcept { return bootstrap_; }
  [[nodiscard]] bool is_reachable() const noexcept { return is_reachable_; }

  // An error of the client itself (RD_KAFKA_EVENT_ERROR), with librdkafka's text.
  void note_error(int error, std::string_view text);
  // The outcome of a probe; 0: the cluster answered.
  void note_answer(int error);
  // A record was acknowledged.
  void note_delivered();
  void note_new_client();

  // True when the cluster should be asked whether it is there.
  [[nodiscard]] bool is_probe_due(std::uint64_t in_flight_count) const;
  void note_asked();

 private:
  void set_reachable();

  std::string bootstrap_;
  const Log& log_;
  const Clock& clock_;
  bool is_reachable_ = false;
  bool is_waiting_told_ = false;  // the line "waiting for broker" is out
  std::string reason_;            // the last error of a connection
  TimePoint probe_at_;            // not before; the epoch: at once
  bool is_doubtful_ = true;       // an answer is wanted
  TimePoint heard_at_;            // the last sign of life
};

}  // namespace walpost
