#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "walpost/sink.h"

namespace walpost {

// Records as lines of JSON (record_json.h) on a descriptor: a pipe, a file, a terminal, a socket.
//
// A record is delivered when its whole line was taken by write(2), and, where that is a regular
// file, once fdatasync(2) has put it on the disk: its position is confirmed then, and PostgreSQL
// forgets it. What a reader of a pipe does with it is no longer ours.
//
// Never blocks on a slow reader: it waits for POLLOUT, and then writes no more than must fit. The
// descriptor's O_NONBLOCK stays as it is, since it is shared with other processes.
//
// A closed pipe, a full disk or an I/O error throws Error{kUndeliverable}, which is not retryable.
// SIGPIPE must be ignored by the process. The last line may then be incomplete; after a restart()
// the next line begins on its own.
class StdoutSink final : public Sink {
 public:
  // `fd` stays the caller's, and must be open for as long as the sink.
  explicit StdoutSink(int fd);

  [[nodiscard]] bool try_send(const Record& record, Ticket ticket) override;
  void drain_reports(std::vector<DeliveryReport>& reports) override;
  void restart() override;
  [[nodiscard]] bool is_reachable() const override { return !is_failed_; }
  [[nodiscard]] WaitFor wait_for() const override;

 private:
  struct Line {
    Ticket ticket;
    std::uint64_t bytes = 0;
    std::uint64_t end = 0;  // of the line, counted as written_bytes_
  };

  void write_some();
  // Bytes written, 0 when the descriptor takes none now.
  std::size_t write_chunk();
  void sync();
  [[noreturn]] void fail(const char* call, int error);

  int fd_;
  bool is_file_ = false;         // a regular file: fdatasync() applies
  std::size_t chunk_bytes_ = 0;  // at most this much after one POLLOUT
  std::string buffer_;           // lines not written yet, from start_ on
  std::size_t start_ = 0;
  std::deque<Line> lines_;           // without a report yet
  std::uint64_t queued_bytes_ = 0;   // ever appended to buffer_
  std::uint64_t written_bytes_ = 0;  // ever written
  std::uint64_t synced_bytes_ = 0;   // of these, safe
  bool is_at_line_start_ = true;     // of the output
  bool is_failed_ = false;
};

}  // namespace walpost
