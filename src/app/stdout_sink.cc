#include "stdout_sink.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>

#include "record_json.h"
#include "walpost/error.h"

namespace walpost {
namespace {

// Beyond it no record is taken: enough to keep a pipe's reader busy, little against the caps on
// what is in flight. One larger record still passes, alone.
constexpr std::size_t kBufferLimitBytes = std::size_t{1} << 20;

// A disk takes what it is given; the loop comes round between two of these.
constexpr std::size_t kFileChunkBytes = std::size_t{256} << 10;
// A terminal says POLLOUT when fewer than 256 bytes are queued; it holds 4096.
constexpr std::size_t kTerminalChunkBytes = 256;

struct Kind {
  bool is_file = false;
  std::size_t chunk_bytes = PIPE_BUF;  // a pipe says POLLOUT when this much fits
};

Kind kind_of(int fd) {
  struct stat info {};
  if (fstat(fd, &info) != 0) {
    throw Error(ExitCode::kUsage,
                fmt::format("--sink stdout: {}",
                            std::error_code(errno, std::generic_category()).message()));
  }
  if (S_ISREG(info.st_mode)) {
    return {.is_file = true, .chunk_bytes = kFileChunkBytes};
  }
  return {.is_file = false, .chunk_bytes = isatty(fd) != 0 ? kTerminalChunkBytes : PIPE_BUF};
}

std::string hint_for(int error) {
  switch (error) {
    case EPIPE:
      return "start the reader again, then walpost: it goes on where the reader stopped";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "make room, cut off the file's last line if it is incomplete, and start walpost again";
    default:
      return "mend the output, cut off its last line if it is incomplete, and start walpost again";
  }
}

}  // namespace

StdoutSink::StdoutSink(int fd) : fd_(fd) {
  const Kind kind = kind_of(fd);
  is_file_ = kind.is_file;
  chunk_bytes_ = kind.chunk_bytes;
}

bool StdoutSink::try_send(const Record& record, Ticket ticket) {
  if (buffer_.size() - start_ >= kBufferLimitBytes) {
    return false;
  }
  const std::size_t size_before = buffer_.size();
  append_json_line(record, buffer_);
  queued_bytes_ += buffer_.size() - size_before;
  lines_.push_back({.ticket = ticket, .bytes = size_of(record), .end = queued_bytes_});
  return true;
}

void StdoutSink::drain_reports(std::vector<DeliveryReport>& reports) {
  write_some();
  if (is_file_ && written_bytes_ > synced_bytes_) {
    sync();
  }
  const std::uint64_t safe_bytes = is_file_ ? synced_bytes_ : written_bytes_;
  while (!lines_.empty() && lines_.front().end <= safe_bytes) {
    reports.push_back(
        {.ticket = lines_.front().ticket, .bytes = lines_.front().bytes, .refusal = nullptr});
    lines_.pop_front();
  }
}

void StdoutSink::write_some() {
  std::size_t budget = kBufferLimitBytes;  // the loop has other things to do
  while (start_ < buffer_.size() && budget > 0) {
    const std::size_t size = write_chunk();
    if (size == 0) {
      break;
    }
    start_ += size;
    written_bytes_ += size;
    is_at_line_start_ = buffer_[start_ - 1] == '\n';
    budget -= std::min(budget, size);
  }
  // What is left moves to the front when that is little against what has gone.
  if (start_ >= buffer_.size() - start_) {
    buffer_.erase(0, start_);
    start_ = 0;
  }
}

std::size_t StdoutSink::write_chunk() {
  pollfd target{.fd = fd_, .events = POLLOUT, .revents = 0};
  // POLLERR means that a pipe has no reader; write() then says so.
  if (poll(&target, 1, 0) <= 0 || (target.revents & (POLLOUT | POLLERR | POLLHUP)) == 0) {
    return 0;
  }
  const std::size_t size = std::min(buffer_.size() - start_, chunk_bytes_);
  const ssize_t written = write(fd_, buffer_.data() + start_, size);
  if (written >= 0) {
    return static_cast<std::size_t>(written);
  }
  if (errno == EINTR || errno == EAGAIN) {
    return 0;
  }
  fail("write", errno);
}

void StdoutSink::sync() {
  if (fdatasync(fd_) != 0 && errno != EINVAL && errno != EROFS) {  // a file that cannot be synced
    fail("fdatasync", errno);
  }
  synced_bytes_ = written_bytes_;
}

void StdoutSink::fail(const char* call, int error) {
  is_failed_ = true;
  throw Error(ExitCode::kUndeliverable,
              fmt::format("stdout: {}: {}; {} records are not delivered and not confirmed", call,
                          std::error_code(error, std::generic_category()).message(), lines_.size()),
              hint_for(error));
}

void StdoutSink::restart() {
  // The rest of a line that is half out never comes: end it, so that the next stands alone.
  buffer_.clear();
  if (!is_at_line_start_) {
    buffer_.push_back('\n');
  }
  start_ = 0;
  lines_.clear();
  queued_bytes_ = written_bytes_ + buffer_.size();
  is_failed_ = false;
}

WaitFor StdoutSink::wait_for() const {
  WaitFor wait;
  if (start_ < buffer_.size()) {
    wait.fd = fd_;
    wait.writable = true;
  }
  return wait;
}

}  // namespace walpost
