#include "rows_before.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace walpost {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class RowsBeforeTest : public ::testing::Test {
 protected:
  static RowsBefore counted(const char* total, const char* older, const char* wal_bytes_since) {
    const ResultTable result{.columns = {"total", "older", "wal_bytes_since"},
                             .rows = {{total, older, wal_bytes_since}}};
    return parse_rows_before({"public", "outbox"}, result);
  }
  static std::string text(const RowsBefore& rows, SlotAge age = SlotAge::kNew) {
    return rows_before_text(rows, "walpost", age).value_or("");
  }
  static std::vector<LogLevel> levels(const RowsBefore& rows, SlotAge age) {
    std::vector<LogLevel> logged;
    log_rows_before(rows, "walpost", age,
                    [&](LogLevel level, std::string_view, std::initializer_list<LogField>) {
                      logged.push_back(level);
                    });
    return logged;
  }
};

TEST_F(RowsBeforeTest, NothingIsSaidOfAnEmptyTable) {
  EXPECT_EQ(text(counted("0", "0", "0")), "");
  EXPECT_THAT(levels(counted("0", "0", "0"), SlotAge::kNew), IsEmpty());
}

TEST_F(RowsBeforeTest, RightAfterTheSlotWasMadeTheCountIsExact) {
  EXPECT_THAT(
      text(counted("7", "0", "0")),
      StartsWith(R"(7 rows of "public"."outbox" are older than slot "walpost" and are not sent;)"));
  EXPECT_THAT(text(counted("1", "1", "5000")), StartsWith("1 row of"));
  EXPECT_THAT(levels(counted("7", "0", "0"), SlotAge::kNew), ElementsAre(LogLevel::kWarn));
}

TEST_F(RowsBeforeTest, WhatWasWrittenSinceMakesItARange) {
  EXPECT_THAT(text(counted("7", "2", "100")), StartsWith("4 to 7 rows"));
  EXPECT_THAT(text(counted("7", "2", "100000")), StartsWith("2 to 7 rows"));
}

TEST_F(RowsBeforeTest, RowsThatOnlyMayBeOlderAreInformationOnce) {
  const auto rows = counted("7", "0", "100000");
  EXPECT_THAT(text(rows), HasSubstr("0 to 7 rows of \"public\".\"outbox\" may be older"));
  EXPECT_THAT(levels(rows, SlotAge::kNew), ElementsAre(LogLevel::kInfo));
  EXPECT_THAT(levels(rows, SlotAge::kUnused), IsEmpty());
}

TEST_F(RowsBeforeTest, ALargeTableIsNotCountedToItsEnd) {
  EXPECT_THAT(text(counted("1000001", "1000001", "0")), StartsWith("at least 1000000 rows of"));
  EXPECT_THAT(text(counted("1000001", "5", "1000000000")), StartsWith("at least 5 rows of"));
  EXPECT_THAT(text(counted("1000001", "0", "1000000000")),
              StartsWith("0 to more than 1000000 rows of"));
}

// A crash of the server resets the statistics of a slot that has sent all of its rows.
TEST_F(RowsBeforeTest, OfASlotThatOnlySeemsUnusedNoMoreIsSaidThanIsKnown) {
  const auto rows = counted("7", "7", "0");
  EXPECT_THAT(
      text(rows, SlotAge::kUnused),
      HasSubstr(R"(older than the position of slot "walpost" and are not sent, unless they )"
                "were before its statistics were lost"));
  EXPECT_THAT(text(rows, SlotAge::kNew), Not(HasSubstr("unless")));
}

TEST_F(RowsBeforeTest, WhatCouldNotBeCountedIsUnknownForAStatedReason) {
  const TableName table{"public", "outbox"};
  EXPECT_THAT(text(rows_unreadable(table)),
              HasSubstr("how many is unknown: this role may not read the table"));
  const auto timed_out =
      rows_uncounted(table, "PostgreSQL: canceling statement due to statement timeout");
  EXPECT_THAT(text(timed_out), HasSubstr("how many is unknown: PostgreSQL: canceling statement"));
  EXPECT_THAT(text(timed_out), Not(HasSubstr("may not read")));
  EXPECT_THAT(levels(timed_out, SlotAge::kUnused), ElementsAre(LogLevel::kWarn));
}

}  // namespace
}  // namespace walpost
