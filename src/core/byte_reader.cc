#include "walpost/byte_reader.h"

#include <fmt/format.h>

#include <cstring>

namespace walpost {

Error protocol_error(std::string_view message, std::string_view field, std::size_t offset,
                     std::string_view why) {
  return Error(ExitCode::kUndecodable,
               fmt::format("the server's {} message cannot be decoded: field {} at offset {}: {}",
                           message, field, offset, why),
               "nothing was confirmed past it. Check that the address is PostgreSQL 14 or later "
               "with nothing in between that changes the stream, then start again");
}

void ByteReader::need(std::size_t count, std::string_view field) const {
  if (remaining() < count) {
    fail(field, offset_, fmt::format("needs {} bytes, {} are left", count, remaining()));
  }
}

std::uint8_t ByteReader::u8(std::string_view field) {
  need(1, field);
  return std::to_integer<std::uint8_t>(bytes_[offset_++]);
}

std::uint16_t ByteReader::u16(std::string_view field) {
  need(2, field);
  const auto high = u8(field);
  return static_cast<std::uint16_t>(high << 8 | u8(field));
}

std::uint32_t ByteReader::u32(std::string_view field) {
  need(4, field);
  std::uint32_t value = 0;
  std::memcpy(&value, bytes_.data() + offset_, sizeof value);
  offset_ += sizeof value;
  return __builtin_bswap32(value);
}

std::uint64_t ByteReader::u64(std::string_view field) {
  need(8, field);
  std::uint64_t value = 0;
  std::memcpy(&value, bytes_.data() + offset_, sizeof value);
  offset_ += sizeof value;
  return __builtin_bswap64(value);
}

std::span<const std::byte> ByteReader::bytes(std::size_t count, std::string_view field) {
  need(count, field);
  const auto result = bytes_.subspan(offset_, count);
  offset_ += count;
  return result;
}

std::string_view ByteReader::string(std::string_view field) {
  const auto rest = as_text(bytes_.subspan(offset_));
  const auto end = rest.find('\0');
  if (end == std::string_view::npos) fail(field, offset_, "has no terminating zero byte");
  offset_ += end + 1;
  return rest.substr(0, end);
}

void ByteReader::expect_end() const {
  if (remaining() != 0) {
    fail("end", offset_, fmt::format("{} bytes are left over", remaining()));
  }
}

void ByteReader::fail(std::string_view field, std::size_t offset, std::string_view why) const {
  throw protocol_error(message_, field, offset, why);
}

}  // namespace walpost
