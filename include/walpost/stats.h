#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace walpost {

enum class PipelineState : std::uint8_t { kConnecting, kStreaming, kSettling, kDraining, kStopped };

// Kinds of errors that walpost_errors_total tells apart.
enum class ErrorKind : std::uint8_t { kPostgres, kSinkLost, kRefused, kInvalidRow };
inline constexpr std::size_t kErrorKinds = 4;

// Upper bounds of the buckets of walpost_commit_to_ack_seconds, in microseconds. One more bucket
// holds what is above the last.
inline constexpr std::array<std::uint64_t, 15> kCommitToAckBoundsUs = {
    1'000,   2'500,     5'000,     10'000,     25'000,     50'000,      100'000,      250'000,
    500'000, 1'000'000, 2'500'000, 10'000'000, 60'000'000, 300'000'000, 3'600'000'000};

// What the pipeline tells the world. Written by the pipeline's thread alone, read by any other:
// every field is an atomic of its own, and no two of them are promised to be of one moment.
// Counters only grow. "Since start" means since this process began.
struct Stats {
  std::atomic<PipelineState> state{PipelineState::kConnecting};
  // Steady clock, nanoseconds, when the loop last turned; for /healthz.
  std::atomic<std::int64_t> heartbeat_ns{0};
  std::atomic<bool> sink_reachable{false};
  // The slot is in another process's hands and this one waits for it.
  std::atomic<bool> standby{false};

  std::atomic<std::uint64_t> events{0};        // outbox inserts whose record was acknowledged
  std::atomic<std::uint64_t> event_bytes{0};   // key and value bytes of these
  std::atomic<std::uint64_t> transactions{0};  // received up to their Commit, empty ones included
  std::atomic<std::uint64_t> skipped_changes{0};      // UPDATE, DELETE, TRUNCATE, and other tables
  std::atomic<std::uint64_t> timestamp_fallbacks{0};  // infinite timestamps; commit time was used
  std::atomic<std::uint64_t> reconnects{0};
  std::array<std::atomic<std::uint64_t>, kErrorKinds> errors{};

  std::atomic<std::uint64_t> in_flight_records{0};
  std::atomic<std::uint64_t> in_flight_bytes{0};
  std::atomic<std::uint64_t> received_lsn{0};
  std::atomic<std::uint64_t> flush_lsn{0};
  // Commit time (PgTimestamp, µs) of the oldest received transaction that is not done; 0: none.
  std::atomic<std::int64_t> oldest_unacked_commit_time{0};

  // Time from a transaction's commit to its last acknowledgement, one observation a record.
  std::array<std::atomic<std::uint64_t>, kCommitToAckBoundsUs.size() + 1> commit_to_ack_buckets{};
  std::atomic<std::uint64_t> commit_to_ack_sum_us{0};
};

// Adds without a locked instruction: there is one writer.
template <typename T>
void bump(std::atomic<T>& counter, T by = 1) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace walpost
