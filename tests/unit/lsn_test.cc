#include "walpost/lsn.h"

#include <gtest/gtest.h>

namespace walpost {
namespace {

TEST(Lsn, ReadsPostgresTextForm) {
  EXPECT_EQ(Lsn::parse("16/B374D848"), Lsn(0x16'B374'D848));
  EXPECT_EQ(Lsn::parse("0/0"), Lsn());
  EXPECT_EQ(Lsn::parse("FFFFFFFF/FFFFFFFF"), Lsn(UINT64_MAX));
}

TEST(Lsn, ReadsSmallLetters) { EXPECT_EQ(Lsn::parse("16/b374d848"), Lsn(0x16'B374'D848)); }

TEST(Lsn, TheRightHalfIsNoFraction) { EXPECT_EQ(Lsn::parse("1/A"), Lsn(0x1'0000'000A)); }

TEST(Lsn, RefusesWhatIsNoLsn) {
  for (const char* text : {"", "/", "1", "1/", "/1", "1/2/3", " 1/2", "1/2 ", "0x1/2", "1/-2",
                           "+1/2", "g/1", "123456789/0", "0/123456789", "1/2\n"}) {
    EXPECT_EQ(Lsn::parse(text), std::nullopt) << '"' << text << '"';
  }
}

TEST(Lsn, WritesWhatPostgresWrites) {
  EXPECT_EQ(Lsn(0x16'B374'D848).to_string(), "16/B374D848");
  EXPECT_EQ(Lsn(0x1'0000'000A).to_string(), "1/A");
  EXPECT_EQ(Lsn().to_string(), "0/0");
}

TEST(Lsn, IsUnsignedInItsOrder) {
  EXPECT_LT(Lsn(0x7FFF'FFFF'FFFF'FFFF), Lsn(0x8000'0000'0000'0000));
  EXPECT_FALSE(Lsn().is_valid());
  EXPECT_TRUE(Lsn(1).is_valid());
}

}  // namespace
}  // namespace walpost
