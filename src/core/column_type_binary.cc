#include <algorithm>
#include <array>

#include "base64.h"
#include "value_reader.h"

namespace walpost {
namespace {

constexpr int kNoDigit = -1;

constexpr int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return kNoDigit;
}

std::string_view bytea_digits(std::string_view text) {
  if (!text.starts_with("\\x")) refuse_malformed("bytea (bytea_output=hex)");
  return text.substr(2);
}

std::string bytea(std::string_view text) {
  auto bytes = decode_hex(bytea_digits(text));
  if (!bytes) refuse_malformed("bytea");
  return *std::move(bytes);
}

std::string base64_url_safe(std::string_view bytes) {
  std::string text = base64(bytes);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

}  // namespace

std::optional<std::string> decode_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes(digits.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(digits[2 * i]);
    const int low = hex_digit(digits[2 * i + 1]);
    if (high == kNoDigit || low == kNoDigit) return std::nullopt;
    bytes[i] = static_cast<char>(high << 4 | low);
  }
  return bytes;
}

namespace parse {

ConnectValue text(std::string_view text, const ValueReader&) { return {std::string(text)}; }

ConnectValue boolean(std::string_view text, const ValueReader&) {
  if (text != "t" && text != "f") refuse_malformed("boolean");
  return {text == "t"};
}

ConnectValue bytea_bytes(std::string_view text, const ValueReader&) { return {Bytes{bytea(text)}}; }
ConnectValue bytea_base64(std::string_view text, const ValueReader&) {
  return {base64(bytea(text))};
}
ConnectValue bytea_base64_url_safe(std::string_view text, const ValueReader&) {
  return {base64_url_safe(bytea(text))};
}
ConnectValue bytea_hex(std::string_view text, const ValueReader&) { return {hex(bytea(text))}; }

ConnectValue unknown_bytes(std::string_view text, const ValueReader&) {
  return {Bytes{std::string(text)}};
}
ConnectValue unknown_base64(std::string_view text, const ValueReader&) { return {base64(text)}; }
ConnectValue unknown_base64_url_safe(std::string_view text, const ValueReader&) {
  return {base64_url_safe(text)};
}
ConnectValue unknown_hex(std::string_view text, const ValueReader&) { return {hex(text)}; }

ConnectValue bit(std::string_view text, const ValueReader&) {
  if (text.empty()) {
    throw ValueRefusal("holds no bit at all, which is neither true nor false");
  }
  if (text != "0" && text != "1") refuse_malformed("bit");
  return {text == "1"};
}

// io.debezium.data.Bits: the last bit of the text is the lowest one of the first byte. Ends with
// the highest bit that is set, however long the column.
ConnectValue bits(std::string_view text, const ValueReader&) {
  if (text.find_first_not_of("01") != std::string_view::npos) refuse_malformed("bit");
  const std::size_t first = text.find('1');
  const std::size_t bit_count = first == std::string_view::npos ? 0 : text.size() - first;
  Bytes bytes{std::string((bit_count + 7) / 8, '\0')};
  for (std::size_t i = 0; i < bit_count; ++i) {
    if (text[text.size() - 1 - i] != '1') continue;
    char& byte = bytes.data[i / 8];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << (i % 8));
  }
  return {std::move(bytes)};
}

}  // namespace parse
}  // namespace walpost
