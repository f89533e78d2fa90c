#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "walpost/clock.h"

namespace walpost {

// Decides when the replication socket is read: as soon as it is readable, or after a pause.
//
// PostgreSQL's walsender makes one send() per row. A reader that is woken for each makes the server
// pay a packet and a wake-up per row and halves its speed; behind a full window the sends gather.
// So while the stream is busy the socket stays out of the poll set and is read one portion at a
// time, a little slower than the server writes. An idle stream is polled, and a lone event is read
// at once.
//
// Pure: the caller says what it saw and when. One portion is one read of libpq's buffer, 16 KB
// unless there was a larger message.
class ReadPace final {
 public:
  enum class Wire {
    kTcp,         // never run it empty: its window is what makes the sends gather
    kUnixSocket,  // read it empty, then pause: its buffer gathers by itself
  };

  explicit ReadPace(Wire wire = Wire::kTcp) noexcept : wire_(wire) {}

  // False during a pause: leave the socket alone.
  [[nodiscard]] bool may_read(TimePoint now) const noexcept { return now >= paused_until_; }

  // A portion is about to be read: `queued_bytes` wait in the kernel (0: nothing came).
  void on_read(TimePoint now, std::size_t queued_bytes) noexcept;

  // The end of the pause; nullopt: poll the socket.
  [[nodiscard]] std::optional<TimePoint> paused_until(TimePoint now) const noexcept {
    return may_read(now) ? std::nullopt : std::optional(paused_until_);
  }

  [[nodiscard]] bool is_busy() const noexcept { return is_busy_; }
  [[nodiscard]] std::chrono::microseconds pause() const noexcept { return pause_; }

 private:
  void adapt(std::size_t queued_bytes) noexcept;

  Wire wire_;
  bool is_busy_ = false;
  int close_reads_ = 0;  // reads that found data soon after the one before
  int empty_reads_ = 0;  // reads that found nothing, while busy
  std::chrono::microseconds pause_{100};
  TimePoint last_data_{};
  TimePoint paused_until_{};
};

}  // namespace walpost
