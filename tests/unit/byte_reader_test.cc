#include "walpost/byte_reader.h"

#include <gmock/gmock.h>

#include "wire/pgoutput_bytes.h"
#include "wire/thrown.h"

namespace walpost {
namespace {

using testing::HasSubstr;
using wire::Bytes;

class ByteReaderTest : public testing::Test {
 protected:
  ByteReader reader_of(Bytes bytes) {
    bytes_ = std::move(bytes);
    return {bytes_.span(), "Example"};
  }

 private:
  Bytes bytes_;
};

TEST_F(ByteReaderTest, ReadsIntegersInNetworkOrder) {
  auto reader = reader_of(Bytes().u8(0xFE).u16(0xFEDC).u32(0xFEDCBA98).u64(0xFEDCBA9876543210));
  EXPECT_EQ(reader.u8("a"), 0xFE);
  EXPECT_EQ(reader.u16("b"), 0xFEDC);
  EXPECT_EQ(reader.u32("c"), 0xFEDCBA98);
  EXPECT_EQ(reader.u64("d"), 0xFEDCBA9876543210);
  EXPECT_EQ(reader.remaining(), 0u);
}

TEST_F(ByteReaderTest, AStringEndsBeforeItsZeroByte) {
  auto reader = reader_of(Bytes().string("ab").string("").u8(7));
  EXPECT_EQ(reader.string("a"), "ab");
  EXPECT_EQ(reader.string("b"), "");
  EXPECT_EQ(reader.offset(), 4u);
}

TEST_F(ByteReaderTest, BytesMayHoldZeros) {
  auto reader = reader_of(Bytes().raw(std::string_view("a\0b", 3)));
  EXPECT_EQ(as_text(reader.bytes(3, "a")), std::string_view("a\0b", 3));
}

TEST_F(ByteReaderTest, AnIntegerThatIsCutOffIsRefused) {
  EXPECT_EQ(thrown([&] { return reader_of(Bytes()).u8("x"); }).exit_code(), ExitCode::kUndecodable);
  (void)thrown([&] { return reader_of(Bytes().u8(1)).u16("x"); });
  (void)thrown([&] { return reader_of(Bytes().u16(1).u8(1)).u32("x"); });
  (void)thrown([&] { return reader_of(Bytes().u32(1).u16(1).u8(1)).u64("x"); });
}

TEST_F(ByteReaderTest, AnErrorNamesMessageFieldAndOffset) {
  auto reader = reader_of(Bytes().u8(1).u8(2));
  (void)reader.u8("first");
  const Error error = thrown([&] { return reader.u64("second"); });
  EXPECT_THAT(error.what(), HasSubstr("Example message"));
  EXPECT_THAT(error.what(), HasSubstr("field second at offset 1"));
  EXPECT_THAT(error.what(), HasSubstr("needs 8 bytes, 1 are left"));
  EXPECT_FALSE(error.is_retryable());
  EXPECT_FALSE(error.hint().empty());
}

TEST_F(ByteReaderTest, MoreBytesThanThereAreAreRefused) {
  (void)thrown([&] { return reader_of(Bytes().u8(1)).bytes(2, "x"); });
  (void)thrown([&] { return reader_of(Bytes().u8(1)).bytes(SIZE_MAX, "x"); });
}

TEST_F(ByteReaderTest, AStringWithoutItsZeroByteIsRefused) {
  EXPECT_THAT(thrown([&] { return reader_of(Bytes().raw("ab")).string("x"); }).what(),
              HasSubstr("no terminating zero"));
  (void)thrown([&] { return reader_of(Bytes()).string("x"); });
}

TEST_F(ByteReaderTest, WhatIsLeftOverIsRefused) {
  auto reader = reader_of(Bytes().u8(1).u8(2));
  (void)reader.u8("x");
  EXPECT_THAT(thrown([&] {
                reader.expect_end();
                return 0;
              }).what(),
              HasSubstr("1 bytes are left over"));
  (void)reader.u8("y");
  reader.expect_end();
}

}  // namespace
}  // namespace walpost
