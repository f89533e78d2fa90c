// Drains a slot through ReplicationStream and prints how fast that was, for comparison with
// `pg_recvlogical -f /dev/null` on a copy of the same slot. Not a test.
//
//   walpost_bench_stream CONNINFO SLOT PUBLICATION ENDPOS

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "replication_stream.h"
#include "walpost/clock.h"
#include "walpost/error.h"
#include "walpost/wait.h"

namespace walpost {
namespace {

using namespace std::chrono_literals;

class Bench final {
 public:
  Bench(const std::string& conninfo, const std::string& slot, const std::string& publication)
      : stream_(
            {.conninfo = conninfo, .wanted = {.slot = slot, .publication = publication}}, clock_,
            [](LogLevel, std::string_view message, auto) { fmt::print(stderr, "{}\n", message); }) {
  }

  void run(Lsn endpos) {
    stream_.connect();
    while (!stream_.poll_connected()) block(stream_.wait_for(true));
    stream_.start_replication(Lsn());
    while (!stream_.poll_streaming()) block(stream_.wait_for(true));
    auto started = clock_.now();
    auto next_status = started;
    while (received_ < endpos) {
      while (const auto message = stream_.try_receive()) take(*message);
      const auto now = clock_.now();
      if (rows_ > rows_seen_) last_row_ = now;
      rows_seen_ = rows_;
      if (rows_ == 0) started = now;
      if (now >= next_status) {
        stream_.send_status({.write_lsn = received_, .flush_lsn = received_});
        next_status = now + 1s;
      }
      auto wait = stream_.wait_for(true);
      wait.at = std::min(wait.at.value_or(next_status), next_status);
      block(wait);
    }
    report(last_row_ - started);
  }

 private:
  void take(const ReplicationMessage& message) {
    if (const auto* keepalive = std::get_if<PrimaryKeepalive>(&message)) {
      received_ = std::max(received_, keepalive->wal_end);
      return;
    }
    const auto& data = std::get<XLogData>(message);
    received_ = std::max(received_, data.data_start);
    if (!data.data.empty() && data.data[0] == std::byte{'I'}) ++rows_;
  }

  void block(const WaitFor& wait) {
    ++waits_;
    wait_for_any(std::array{wait}, TimePoint::max(), clock_);
  }

  void report(Duration taken) const {
    rusage usage{};
    (void)::getrusage(RUSAGE_SELF, &usage);
    const auto seconds_of = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    const double seconds = std::chrono::duration<double>(taken).count();
    fmt::print(
        "{} rows in {:.3f} s: {:.0f} rows/s, CPU {:.2f} s (user {:.2f}, system {:.2f}), "
        "{} waits\n",
        rows_, seconds, static_cast<double>(rows_) / seconds,
        seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), seconds_of(usage.ru_utime),
        seconds_of(usage.ru_stime), waits_);
  }

  SystemClock clock_;
  ReplicationStream stream_;
  Lsn received_;
  std::uint64_t rows_ = 0;
  std::uint64_t rows_seen_ = 0;
  std::uint64_t waits_ = 0;
  TimePoint last_row_{};
};

}  // namespace
}  // namespace walpost

int main(int argc, char** argv) {
  const auto endpos = argc == 5 ? walpost::Lsn::parse(argv[4]) : std::nullopt;
  if (!endpos) {
    std::fputs("walpost_bench_stream CONNINFO SLOT PUBLICATION ENDPOS\n", stderr);
    return 2;
  }
  (void)::prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
  try {
    walpost::Bench(argv[1], argv[2], argv[3]).run(*endpos);
  } catch (const walpost::Error& error) {
    fmt::print(stderr, "{}\n{}\n", error.what(), error.hint());
    return static_cast<int>(error.exit_code());
  }
  return 0;
}
