#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <thread>
#include <vector>

#include "log_line.h"
#include "logger.h"
#include "recent_errors.h"

namespace walpost {
namespace {

using std::chrono::milliseconds;

LogLine line_of(std::string_view message, std::span<const LogField> fields) {
  return {std::chrono::system_clock::time_point(milliseconds(1'796'066'801'123)), LogLevel::kInfo,
          message, fields};
}

TEST(LogLineTest, Text) {
  const std::vector<LogField> fields = {{"slot", "walpost"}, {"hint", "type this"}, {"none", ""}};
  EXPECT_EQ(text_line(line_of("streaming", fields)),
            "2026-11-30T19:26:41.123Z INFO  streaming slot=walpost hint=\"type this\" none=\"\"");
}

TEST(LogLineTest, TextStaysOneLineAndTellsATerminalNothing) {
  const std::vector<LogField> fields = {{"error", "a\nb\x1b[2J\"c\\"}};
  EXPECT_EQ(text_line(line_of("two\nlines", fields)),
            "2026-11-30T19:26:41.123Z INFO  two\\nlines error=\"a\\nb\\u001b[2J\\\"c\\\\\"");
}

TEST(LogLineTest, C1ControlsAreControlsAndOtherLettersAreNot) {
  EXPECT_EQ(without_control("\u009b31m \u00a0 \u00e9 \xc2"), "\\u009b31m \u00a0 \u00e9 \xc2");
}

// A row's id may stand in it, and whoever writes rows does not write our last words.
TEST(ErrorTextTest, NothingThatIsCitedMakesALineOrTellsATerminal) {
  EXPECT_EQ(
      error_text(Error(ExitCode::kUndeliverable, "event id \x1b[2J\nhint: rm", "one\ntwo\x1b")),
      "walpost: event id \\u001b[2J\\nhint: rm\nhint: one\ntwo\\u001b\n");
  EXPECT_EQ(error_text(Error(ExitCode::kUsage, "no")), "walpost: no\n");
}

TEST(LogLineTest, Json) {
  const std::vector<LogField> fields = {{"error", "a\nb\x1b\"c"}};
  EXPECT_EQ(json_line(line_of("streaming", fields)),
            "{\"ts\":\"2026-11-30T19:26:41.123Z\",\"level\":\"info\",\"msg\":\"streaming\","
            "\"error\":\"a\\nb\\u001B\\\"c\"}");
}

TEST(LogLineTest, JsonIsValidUtf8WhateverTheServerSaid) {
  const std::vector<LogField> fields = {{"error", "gr\xfc\xdf \xed\xa0\x80 \xc3\xbc"}};
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(json_line(line_of("m", fields)).c_str());
  ASSERT_FALSE(document.HasParseError());
  EXPECT_STREQ(document["error"].GetString(),
               "gr\xef\xbf\xbd\xef\xbf\xbd "
               "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xc3\xbc");
}

TEST(LogLineTest, TimeBeforeTheEpochIsRoundedDown) {
  EXPECT_EQ(utc_text(std::chrono::system_clock::time_point(milliseconds(-1))),
            "1969-12-31T23:59:59.999Z");
}

// A pipe, and what was written into it.
class LoggerTest : public testing::Test {
 protected:
  LoggerTest() { EXPECT_EQ(::pipe(ends_), 0); }
  ~LoggerTest() override { ::close(ends_[0]); }

  std::string written() {
    ::close(ends_[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t size = 0; (size = ::read(ends_[0], buffer, sizeof(buffer))) > 0;) {
      text.append(buffer, static_cast<std::size_t>(size));
    }
    return text;
  }

  int ends_[2] = {-1, -1};
};

TEST_F(LoggerTest, LinesBelowTheLevelAreLeftOut) {
  const Log log = make_log(LogFormat::kText, LogLevel::kWarn, ends_[1]);
  log(LogLevel::kInfo, "quiet", {});
  log(LogLevel::kError, "loud", {{"slot", "s"}});
  EXPECT_THAT(written(), testing::MatchesRegex(".*Z ERROR loud slot=s\n"));
}

TEST_F(LoggerTest, AutoIsJsonWhereThereIsNoTerminal) {
  make_log(LogFormat::kAuto, LogLevel::kInfo, ends_[1])(LogLevel::kInfo, "m", {});
  EXPECT_THAT(written(), testing::StartsWith("{\"ts\":"));
}

TEST_F(LoggerTest, BracesInAMessageAreNoPattern) {
  make_log(LogFormat::kText, LogLevel::kInfo, ends_[1])(LogLevel::kInfo, "{} %v", {{"k", "{}"}});
  EXPECT_THAT(written(), testing::EndsWith("{} %v k={}\n"));
}

TEST_F(LoggerTest, LinesOfSeveralThreadsDoNotMix) {
  const Log log = make_log(LogFormat::kJson, LogLevel::kInfo, ends_[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&log] {
      for (int j = 0; j < 50; ++j) log(LogLevel::kInfo, std::string(100, 'x'), {});
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::istringstream lines(written());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_FALSE(rapidjson::Document().Parse(line.c_str()).HasParseError()) << line;
  }
  EXPECT_EQ(count, 200);
}

TEST_F(LoggerTest, FullPipeDropsLinesAndTheirNumberIsLoggedOnceItTakesAgain) {
  const int capacity = ::fcntl(ends_[1], F_SETPIPE_SZ, 16'384);
  ASSERT_GT(capacity, 0);
  const Log log = make_log(LogFormat::kJson, LogLevel::kInfo, ends_[1]);
  // Blocks for ever if a line waits.
  for (int i = 0; i < 100; ++i) log(LogLevel::kInfo, "m", {{"text", std::string(1'000, 'x')}});
  std::vector<char> buffer(static_cast<std::size_t>(capacity));
  const ssize_t size = ::read(ends_[0], buffer.data(), buffer.size());
  ASSERT_GT(size, 0);
  const std::string kept(buffer.data(), static_cast<std::size_t>(size));
  const auto kept_count = std::ranges::count(kept, '\n');
  log(LogLevel::kInfo, "after", {});
  std::istringstream lines(written());
  std::string line;
  if (kept.back() != '\n') std::getline(lines, line);  // the end of the line that was cut off
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_THAT(line, testing::HasSubstr("\"msg\":\"log lines dropped"));
  EXPECT_THAT(line, testing::HasSubstr("\"suppressed\":\"" + std::to_string(100 - kept_count)));
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_THAT(line, testing::HasSubstr("\"msg\":\"after\""));
}

TEST(RecentErrorsTest, KeepsTheNewestWarningsAndErrors) {
  RecentErrors recent;
  int passed_on = 0;
  const Log log = recent.noting(
      [&](LogLevel, std::string_view, std::initializer_list<LogField>) { ++passed_on; });
  log(LogLevel::kInfo, "state", {});
  for (int i = 0; i < 7; ++i) log(LogLevel::kWarn, "lost", {{"attempt", std::to_string(i)}});
  EXPECT_EQ(passed_on, 8);
  ASSERT_EQ(recent.entries().size(), RecentErrors::kKept);
  EXPECT_EQ(recent.entries().front().text, "lost attempt=6");
  EXPECT_EQ(recent.entries().back().text, "lost attempt=2");
}

}  // namespace
}  // namespace walpost
