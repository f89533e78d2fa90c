#include "slot_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace walpost {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SlotChangesTest : public ::testing::Test {
 protected:
  // The lines that this reading gives.
  std::vector<std::string> lines_of(const SlotStatus& status) {
    lines_.clear();
    changes_.take(status);
    return lines_;
  }
  std::vector<std::string> lines_of_lag(std::optional<std::int64_t> lag_bytes) {
    return lines_of({.lag_bytes = lag_bytes, .wal_status = "reserved"});
  }

  std::vector<std::string> lines_;
  SlotChanges changes_{Wanted{}, 1000,
                       [this](LogLevel level, std::string_view message, const auto& fields) {
                         if (level == LogLevel::kDebug) return;
                         std::string line(level == LogLevel::kWarn ? "WARN " : "INFO ");
                         line += message;
                         for (const auto& field : fields) {
                           line += " " + std::string(field.key) + "=" + field.value;
                         }
                         lines_.push_back(line);
                       }};
};

TEST_F(SlotChangesTest, LagBeyondTheLimitIsSaidWhenItBeginsAndWhenItEnds) {
  EXPECT_THAT(lines_of_lag(1000), IsEmpty());
  EXPECT_THAT(lines_of_lag(1001),
              ElementsAre(AllOf(HasSubstr("WARN the slot's lag is beyond --max-slot-lag"),
                                HasSubstr("lag_bytes=1001"), HasSubstr("max_slot_wal_keep_size"))));
  EXPECT_THAT(lines_of_lag(5000), IsEmpty());
  EXPECT_THAT(lines_of_lag(1000), ElementsAre(HasSubstr("INFO the slot's lag is below")));
  EXPECT_THAT(lines_of_lag(2000), ElementsAre(HasSubstr("WARN")));
}

TEST_F(SlotChangesTest, AnUnknownLagIsNoEndOfIt) {
  EXPECT_EQ(lines_of_lag(1001).size(), 1u);
  EXPECT_THAT(lines_of_lag(std::nullopt), IsEmpty());
  EXPECT_THAT(lines_of_lag(1002), IsEmpty());
}

TEST_F(SlotChangesTest, ASlotThatIsAboutToBeLostIsSaidOnce) {
  EXPECT_THAT(lines_of({.wal_status = "extended"}), IsEmpty());
  EXPECT_THAT(lines_of({.wal_status = "unreserved"}),
              ElementsAre(HasSubstr("WARN the slot's wal_status changed")));
  EXPECT_THAT(lines_of({.wal_status = "unreserved"}), IsEmpty());
}

TEST_F(SlotChangesTest, ATableThatLeavesThePublicationIsNamed) {
  const SlotStatus left{.wal_status = "reserved",
                        .unpublished_tables = std::vector<TableName>{{"public", "outbox"}}};
  EXPECT_THAT(lines_of(left), ElementsAre(HasSubstr(R"(table="public"."outbox")")));
  EXPECT_THAT(lines_of(left), IsEmpty());
  EXPECT_THAT(lines_of_lag(0), ElementsAre(HasSubstr("INFO every outbox table")));
}

}  // namespace
}  // namespace walpost
