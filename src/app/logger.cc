#include "logger.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "log_line.h"
#include "walpost/check.h"
#include "write_now.h"

namespace walpost {
namespace {

// Back to the line's begin and erase it.
constexpr std::string_view kEraseLine = "\r\x1b[K";

std::string formatted(const LogLine& line, bool is_text) {
  return is_text ? text_line(line) : json_line(line);
}

// Lines that are not taken at once are dropped and counted: a log that cannot be written is no
// reason to stop delivering.
class DescriptorSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  DescriptorSink(int fd, bool is_text)
      : fd_(fd), is_text_(is_text), is_terminal_(::isatty(fd) == 1) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (dropped_count_ > 0 && !write_line(dropped_line())) {
      ++dropped_count_;
      return;
    }
    dropped_count_ = 0;
    if (!write_line({message.payload.data(), message.payload.size()})) ++dropped_count_;
  }
  void flush_() override {}

 private:
  [[nodiscard]] std::string dropped_line() const {
    const LogField count{"suppressed", std::to_string(dropped_count_)};
    return formatted({std::chrono::system_clock::now(), LogLevel::kWarn,
                      "log lines dropped, their reader did not take them", std::span(&count, 1)},
                     is_text_);
  }

  bool write_line(std::string_view text) {
    // Of a line that was cut off the rest is lost; the next one begins anew.
    std::string line(is_cut_ ? "\n" : "");
    line += is_terminal_ ? kEraseLine : std::string_view();
    line += text;
    line += '\n';
    const std::size_t written = write_now(fd_, line);
    if (written > 0) is_cut_ = written < line.size();
    return written == line.size();
  }

  int fd_;
  bool is_text_;
  bool is_terminal_;
  bool is_cut_ = false;
  std::uint64_t dropped_count_ = 0;
};

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  CHECK(false);
}

}  // namespace

Log make_log(LogFormat format, LogLevel level, int fd) {
  const bool is_text =
      format == LogFormat::kText || (format == LogFormat::kAuto && ::isatty(fd) == 1);
  const auto logger =
      std::make_shared<spdlog::logger>("walpost", std::make_shared<DescriptorSink>(fd, is_text));
  logger->set_level(to_spdlog(level));
  return [logger, is_text](LogLevel line_level, std::string_view message,
                           std::initializer_list<LogField> fields) {
    if (!logger->should_log(to_spdlog(line_level))) return;
    const LogLine line{std::chrono::system_clock::now(), line_level, message,
                       std::span(fields.begin(), fields.size())};
    logger->log(to_spdlog(line_level), spdlog::string_view_t(formatted(line, is_text)));
  };
}

}  // namespace walpost
