#include "logger.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "log_line.h"
#include "walpost/check.h"

namespace walpost {
namespace {

// Back to the line's begin and erase it.
constexpr std::string_view kEraseLine = "\r\x1b[K";

class DescriptorSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit DescriptorSink(int fd) : fd_(fd), is_terminal_(::isatty(fd) == 1) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    std::string line(is_terminal_ ? kEraseLine : std::string_view());
    line.append(message.payload.data(), message.payload.size());
    line += '\n';
    std::string_view rest = line;
    while (!rest.empty()) {
      const ssize_t written = ::write(fd_, rest.data(), rest.size());
      // A log that cannot be written is no reason to stop delivering.
      if (written < 0 && errno != EINTR) return;
      if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void flush_() override {}

 private:
  int fd_;
  bool is_terminal_;
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
  const auto logger =
      std::make_shared<spdlog::logger>("walpost", std::make_shared<DescriptorSink>(fd));
  logger->set_level(to_spdlog(level));
  const bool is_text =
      format == LogFormat::kText || (format == LogFormat::kAuto && ::isatty(fd) == 1);
  return [logger, is_text](LogLevel line_level, std::string_view message,
                           std::initializer_list<LogField> fields) {
    if (!logger->should_log(to_spdlog(line_level))) return;
    const LogLine line{std::chrono::system_clock::now(), line_level, message,
                       std::span(fields.begin(), fields.size())};
    logger->log(to_spdlog(line_level),
                spdlog::string_view_t(is_text ? text_line(line) : json_line(line)));
  };
}

}  // namespace walpost
