#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "walpost/error.h"

namespace walpost {

// What a peer sent does not follow the protocol: ExitCode::kUndecodable, with the message's name,
// the field's name and the byte offset in the message. Not retryable: the same bytes would come
// again.
[[nodiscard]] Error protocol_error(std::string_view message, std::string_view field,
                                   std::size_t offset, std::string_view why);

// Reads the fields of one message of PostgreSQL's protocol, in network byte order, and never past
// its end. Holds a view: the bytes must outlive it and what it returns. Throws protocol_error().
class ByteReader final {
 public:
  // `message` names what is read, for errors; it must outlive the reader (a literal).
  ByteReader(std::span<const std::byte> bytes, std::string_view message) noexcept
      : bytes_(bytes), message_(message) {}

  [[nodiscard]] std::uint8_t u8(std::string_view field);
  [[nodiscard]] std::uint16_t u16(std::string_view field);
  [[nodiscard]] std::uint32_t u32(std::string_view field);
  [[nodiscard]] std::uint64_t u64(std::string_view field);
  // The protocol's Byten.
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t count, std::string_view field);
  // The protocol's String: up to its terminating zero byte, which is consumed and not returned.
  [[nodiscard]] std::string_view string(std::string_view field);

  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
  [[nodiscard]] std::size_t remaining() const noexcept { return bytes_.size() - offset_; }
  // Throws unless everything was read.
  void expect_end() const;
  // Throws, naming `field`, which begins at `offset`.
  [[noreturn]] void fail(std::string_view field, std::size_t offset, std::string_view why) const;

 private:
  void need(std::size_t count, std::string_view field) const;

  std::span<const std::byte> bytes_;
  std::string_view message_;
  std::size_t offset_ = 0;
};

[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace walpost
