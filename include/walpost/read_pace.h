#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "walpost/clock.h"

namespace walpost {

// Decides when the replication socket is read: as soon as it is readable, or after a pause.
//
// PostgreSQL's walsender makes one send() per row. While TCP's window is open each of them costs
// the server a packet, and a wake-up where the reader waits in poll(2): 4 CPU seconds for 500,000
// rows. Behind a window that never opens far the sends gather in its socket buffer: 2 CPU seconds,
// and twice the speed. So a stream that is at full speed is read one portion at a time, just slower
// than the server writes. How fast that is depends on the size of the rows and on the machine; it
// is found by going faster until the socket runs dry, and a little slower again.
//
//    kPolled ──much data──▶ kBusy ──full speed──▶ kFilling ──window full──▶ kPaced
//       ▲                   │ ▲                      │  ▲                     │
//       └──── no data ──────┘ └─────── too slow ─────┘  └───── ran dry ───────┘
//
// Pure: the caller says what it saw and when. One portion is one read of libpq's buffer, 16 KB
// unless there was a larger message.
class ReadPace final {
 public:
  enum class Wire : std::uint8_t {
    kTcp,
    kUnixSocket,  // has no packets: it is read empty, then left alone for a while
  };
  enum class State : std::uint8_t {
    kPolled,   // read at once: an idle stream, or lone events
    kBusy,     // a short pause after each portion, so that rows come several at a time
    kFilling,  // a longer pause after each portion, so that more comes than is read
    kPaced,    // the window is full: read a little slower than the server writes
  };

  explicit ReadPace(Wire wire = Wire::kTcp) noexcept : wire_(wire) {}

  // False during a pause: leave the socket alone.
  [[nodiscard]] bool may_read(TimePoint now) const noexcept { return now >= paused_until_; }

  // A portion is about to be read; `queued_bytes` wait in the kernel (0: nothing came).
  void on_read(TimePoint now, std::size_t queued_bytes) noexcept;

  // The end of the pause; nullopt: poll the socket.
  [[nodiscard]] std::optional<TimePoint> paused_until(TimePoint now) const noexcept {
    return may_read(now) ? std::nullopt : std::optional(paused_until_);
  }

  [[nodiscard]] State state() const noexcept { return state_; }

 private:
  using Pause = std::chrono::nanoseconds;

  void leave_polled(TimePoint now, std::size_t queued_bytes) noexcept;
  void on_read_busy(TimePoint now, std::size_t queued_bytes) noexcept;
  void on_read_filling(TimePoint now, std::size_t queued_bytes) noexcept;
  void on_read_paced(TimePoint now, std::size_t queued_bytes) noexcept;
  void enter(State state) noexcept;

  Wire wire_;
  State state_ = State::kPolled;
  int count_ = 0;                      // reads in a row that speak for leaving the state
  std::size_t last_queued_bytes_ = 0;  // of kFilling
  // Of kPaced. `shortest_` is a little above the pause at which the socket last ran dry.
  Pause pause_{std::chrono::microseconds(200)};
  Pause shortest_{0};
  TimePoint next_faster_{};
  TimePoint last_data_{};
  TimePoint paused_until_{};
};

}  // namespace walpost
