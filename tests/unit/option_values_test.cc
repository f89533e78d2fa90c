#include "option_values.h"

#include <gtest/gtest.h>

namespace walpost {
namespace {

using std::chrono::milliseconds;

TEST(OptionValuesTest, Durations) {
  EXPECT_EQ(parse_duration("500ms"), milliseconds(500));
  EXPECT_EQ(parse_duration("30s"), milliseconds(30'000));
  EXPECT_EQ(parse_duration("5m"), milliseconds(300'000));
  EXPECT_EQ(parse_duration("2h"), milliseconds(7'200'000));
  for (const char* text : {"", "5", "0", "5 s", "-5s", "1.5s", "s", "5sec", "99999999999999999999s",
                           "9223372036854775807h", " 5s", "5s "}) {
    EXPECT_THROW(static_cast<void>(parse_duration(text)), BadValue) << text;
  }
}

TEST(OptionValuesTest, Sizes) {
  EXPECT_EQ(parse_size("64MiB"), 67'108'864U);
  EXPECT_EQ(parse_size("1MB"), 1'000'000U);
  EXPECT_EQ(parse_size("0B"), 0U);
  EXPECT_EQ(parse_size("8TiB"), std::uint64_t{8} << 40);
  for (const char* text : {"", "64", "0", "64mib", "64M", "-1MB", "1.5GB", "9999999999TiB", "MB"}) {
    EXPECT_THROW(static_cast<void>(parse_size(text)), BadValue) << text;
  }
}

TEST(OptionValuesTest, TableNamesAreTakenToTheLetter) {
  EXPECT_EQ(parse_table_name("outbox"), (TableName{"public", "outbox"}));
  EXPECT_EQ(parse_table_name("Shop.Events"), (TableName{"Shop", "Events"}));
  EXPECT_EQ(parse_table_name("\"Out.box\".\"a\"\"b\""), (TableName{"Out.box", "a\"b"}));
  EXPECT_EQ(parse_table_name("shop.*"), (TableName{"shop", "*"}));
  for (const char* text : {"", ".", "a.", ".b", "a.b.c", "\"a", "\"a\"b", "a\"b", "\"\".a"}) {
    EXPECT_THROW(static_cast<void>(parse_table_name(text)), BadValue) << text;
  }
  EXPECT_THROW(static_cast<void>(parse_table_name(std::string(64, 'a'))), BadValue);
}

TEST(OptionValuesTest, SlotNames) {
  EXPECT_EQ(parse_slot_name("walpost_2"), "walpost_2");
  for (const char* text : {"", "Walpost", "a-b", "a b", "é"}) {
    EXPECT_THROW(static_cast<void>(parse_slot_name(text)), BadValue) << text;
  }
  EXPECT_THROW(static_cast<void>(parse_slot_name(std::string(64, 'a'))), BadValue);
}

TEST(OptionValuesTest, EndPositions) {
  EXPECT_EQ(parse_end_position("now").lsn, std::nullopt);
  EXPECT_EQ(parse_end_position("16/B374D848").lsn, Lsn(0x16'B374'D848));
  EXPECT_THROW(static_cast<void>(parse_end_position("0/0")), BadValue);
  EXPECT_THROW(static_cast<void>(parse_end_position("later")), BadValue);
}

TEST(OptionValuesTest, HttpAddresses) {
  EXPECT_EQ(parse_http_address("0.0.0.0:80"), (HttpAddress{"0.0.0.0", 80}));
  EXPECT_EQ(parse_http_address("[::1]:0"), (HttpAddress{"::1", 0}));
  for (const char* text : {"", "9633", ":9633", "host", "host:", "host:65536", "::1:80", "[]:80"}) {
    EXPECT_THROW(static_cast<void>(parse_http_address(text)), BadValue) << text;
  }
}

TEST(OptionValuesTest, Brokers) {
  EXPECT_EQ(parse_brokers("a:1,b:2"), "a:1,b:2");
  for (const char* text : {"", "a:1,", "a:1, b:2", ",a"}) {
    EXPECT_THROW(static_cast<void>(parse_brokers(text)), BadValue) << text;
  }
}

TEST(OptionValuesTest, ConninfoIsShownUnlessItHoldsASecret) {
  EXPECT_EQ(mask_conninfo("host=db user=w"), "host=db user=w");
  EXPECT_EQ(mask_conninfo("postgresql://w@db/shop"), "postgresql://w@db/shop");
  EXPECT_EQ(mask_conninfo("postgresql://db:5432/shop"), "postgresql://db:5432/shop");
  for (const char* text : {"host=db password=x", "PASSWORD = 'x'", "sslpassword=x",
                           "postgresql://w:x@db/shop", "postgresql://db/shop?password=x"}) {
    EXPECT_EQ(mask_conninfo(text), "********") << text;
  }
}

TEST(OptionValuesTest, PropertiesAreShownUnlessTheKeyNamesASecret) {
  EXPECT_EQ(mask_property("security.protocol=SSL"), "security.protocol=SSL");
  EXPECT_EQ(mask_property("ssl.key.location=/k"), "ssl.key.location=/k");
  for (const char* key : {"sasl.password", "ssl.key.password", "ssl.key.pem",
                          "sasl.oauthbearer.client.secret", "sasl.oauthbearer.config"}) {
    EXPECT_EQ(mask_property(std::string(key) + "=hunter2"), std::string(key) + "=********");
  }
}

}  // namespace
}  // namespace walpost
