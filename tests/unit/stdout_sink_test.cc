#include "stdout_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "walpost/error.h"

namespace walpost {
namespace {

using testing::HasSubstr;

class StdoutSinkTest : public testing::Test {
 protected:
  void SetUp() override {
    signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    reader_ = ends[0];
    writer_ = ends[1];
  }
  void TearDown() override {
    close_reader();
    close(writer_);
  }
  void close_reader() {
    if (reader_ >= 0) {
      close(reader_);
      reader_ = -1;
    }
  }

  static Record record(std::string_view value) {
    return {.topic = "t",
            .partition = std::nullopt,
            .key = std::nullopt,
            .value = value,
            .headers = {},
            .timestamp_ms = 1,
            .event_id = "1"};
  }
  static std::string line(std::string_view value) {
    return fmt::format(
        "{{\"topic\":\"t\",\"key\":null,\"headers\":[],\"timestamp\":1,"
        "\"value\":\"{}\"}}\n",
        value);
  }
  std::string read_up_to(std::size_t size) const {
    std::string text(size, '\0');
    const ssize_t got = read(reader_, text.data(), size);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
  }

  int reader_ = -1;
  int writer_ = -1;
  std::vector<DeliveryReport> reports_;
};

TEST_F(StdoutSinkTest, LineIsReportedOnceItIsWritten) {
  StdoutSink sink(writer_);
  EXPECT_TRUE(sink.try_send(record("a"), Ticket{5}));
  EXPECT_TRUE(sink.wait_for().writable);
  EXPECT_EQ(sink.wait_for().fd, writer_);
  sink.drain_reports(reports_);
  ASSERT_EQ(reports_.size(), 1U);
  EXPECT_EQ(reports_[0].ticket, Ticket{5});
  EXPECT_EQ(reports_[0].bytes, 1U);
  EXPECT_EQ(read_up_to(1000), line("a"));
  EXPECT_EQ(sink.wait_for().fd, -1);
}

TEST_F(StdoutSinkTest, SlowReaderIsNeitherWaitedForNorConfirmedBeforeItsLineIsOut) {
  StdoutSink sink(writer_);
  const std::string value(10'000, 'x');
  std::string expected;
  std::uint64_t sent = 0;
  while (sink.try_send(record(value), Ticket{sent + 1})) {
    ++sent;
    expected += line(value);
    sink.drain_reports(reports_);  // would block for ever if it waited for the reader
  }
  EXPECT_GT(sent, 6U);
  EXPECT_LT(reports_.size(), sent);
  EXPECT_EQ(fcntl(writer_, F_GETFL) & O_NONBLOCK, 0);

  std::string got;
  while (got.size() < expected.size()) {
    const std::string part = read_up_to(65'536);
    ASSERT_FALSE(part.empty());
    got += part;
    sink.drain_reports(reports_);
    EXPECT_LE(reports_.size(), got.size() / line(value).size() + 65'536 / line(value).size() + 1);
  }
  EXPECT_EQ(got, expected);
  sink.drain_reports(reports_);
  ASSERT_EQ(reports_.size(), sent);
  EXPECT_EQ(reports_.back().ticket, Ticket{sent});
}

TEST_F(StdoutSinkTest, ClosedPipeIsAFailureAndNothingIsConfirmed) {
  StdoutSink sink(writer_);
  close_reader();
  EXPECT_TRUE(sink.try_send(record("a"), Ticket{1}));
  std::optional<Error> error;
  try {
    sink.drain_reports(reports_);
  } catch (const Error& thrown) {
    error = thrown;
  }
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), ExitCode::kUndeliverable);
  EXPECT_FALSE(error->is_retryable());
  EXPECT_THAT(error->what(), HasSubstr("stdout: write: Broken pipe; 1 records are not delivered"));
  EXPECT_THAT(error->hint(), HasSubstr("start the reader again"));
  EXPECT_TRUE(reports_.empty());
  EXPECT_FALSE(sink.is_reachable());
}

TEST_F(StdoutSinkTest, FullDiskIsAFailure) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  StdoutSink sink(full);
  EXPECT_TRUE(sink.try_send(record("a"), Ticket{1}));
  EXPECT_THROW(
      {
        try {
          sink.drain_reports(reports_);
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr("No space left on device"));
          EXPECT_THAT(error.hint(), HasSubstr("make room"));
          throw;
        }
      },
      Error);
  EXPECT_TRUE(reports_.empty());
  close(full);
}

TEST_F(StdoutSinkTest, RegularFileTakesEverythingAndIsSynced) {
  std::array<char, 32> path{"/tmp/walpost_stdout_XXXXXX"};
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  unlink(path.data());
  StdoutSink sink(file);
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(sink.try_send(record(std::to_string(i)), Ticket{1}));
    expected += line(std::to_string(i));
  }
  sink.drain_reports(reports_);
  EXPECT_EQ(reports_.size(), 1000U);
  std::string got(expected.size() + 1, '\0');
  EXPECT_EQ(pread(file, got.data(), got.size(), 0), static_cast<ssize_t>(expected.size()));
  got.resize(expected.size());
  EXPECT_EQ(got, expected);
  close(file);
}

TEST_F(StdoutSinkTest, LineCutOffByALimitIsEndedBeforeTheNext) {
  std::array<char, 32> path{"/tmp/walpost_stdout_XXXXXX"};
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  unlink(path.data());
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 20, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  StdoutSink sink(file);
  EXPECT_TRUE(sink.try_send(record("a"), Ticket{1}));
  EXPECT_THROW(sink.drain_reports(reports_), Error);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_TRUE(reports_.empty());

  sink.restart();
  EXPECT_TRUE(sink.try_send(record("a"), Ticket{2}));
  sink.drain_reports(reports_);
  ASSERT_EQ(reports_.size(), 1U);
  EXPECT_EQ(reports_[0].ticket, Ticket{2});
  const std::string expected = line("a").substr(0, 20) + "\n" + line("a");
  std::string got(expected.size() + 1, '\0');
  EXPECT_EQ(pread(file, got.data(), got.size(), 0), static_cast<ssize_t>(expected.size()));
  got.resize(expected.size());
  EXPECT_EQ(got, expected);
  close(file);
}

}  // namespace
}  // namespace walpost
