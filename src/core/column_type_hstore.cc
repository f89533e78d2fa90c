#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "value_reader.h"

namespace walpost {
namespace {

struct Pair {
  std::string key;
  std::optional<std::string> value;
  std::uint32_t hash = 0;  // as java.util.HashMap spreads it
};

// One code point of well-formed UTF-8; what is not well-formed counts byte for byte.
std::uint32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length || length == 1) {
    text.remove_prefix(1);
    return lead;
  }
  std::uint32_t code_point = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code_point = code_point << 6 | (byte(i) & 0x3FU);
  text.remove_prefix(length);
  return code_point;
}

// HashMap.hash(String.hashCode): over UTF-16 units.
std::uint32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  while (!text.empty()) {
    const std::uint32_t code_point = take_code_point(text);
    if (code_point < 0x10000) {
      hash = hash * 31 + code_point;
    } else {
      hash = hash * 31 + (0xD800 + ((code_point - 0x10000) >> 10));
      hash = hash * 31 + (0xDC00 + ((code_point - 0x10000) & 0x3FF));
    }
  }
  return hash ^ hash >> 16;
}

// Debezium goes over the pairs as Java's HashMap does, which depends on nothing but the keys:
// by table slot, within a slot as they came.
void order_as_java(std::vector<Pair>& pairs) {
  std::uint64_t slot_count = 16;
  while (pairs.size() * 4 > slot_count * 3) slot_count *= 2;
  const auto slot = [&](const Pair& pair) { return pair.hash & (slot_count - 1); };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const Pair& a, const Pair& b) { return slot(a) < slot(b); });
}

std::string take_quoted(std::string_view& text) {
  if (!text.starts_with('"')) refuse_malformed("hstore");
  text.remove_prefix(1);
  std::string unescaped;
  while (!text.starts_with('"')) {
    if (text.starts_with('\\')) text.remove_prefix(1);
    if (text.empty()) refuse_malformed("hstore");
    unescaped += text.front();
    text.remove_prefix(1);
  }
  text.remove_prefix(1);
  return unescaped;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

// "a"=>"1", "b"=>NULL
std::vector<Pair> parse_pairs(std::string_view text) {
  std::vector<Pair> pairs;
  while (!text.empty()) {
    Pair pair;
    pair.key = take_quoted(text);
    if (!take(text, "=>")) refuse_malformed("hstore");
    if (!take(text, "NULL")) pair.value = take_quoted(text);
    if (!text.empty() && (!take(text, ", ") || text.empty())) refuse_malformed("hstore");
    pair.hash = java_hash(pair.key);
    pairs.push_back(std::move(pair));
  }
  order_as_java(pairs);
  return pairs;
}

// As Jackson escapes into a writer of characters: nothing beyond ASCII.
void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kEscaped = "\"\\\b\t\n\f\r";
  constexpr std::string_view kLetters = "\"\\btnfr";
  out += '"';
  for (const char c : text) {
    const std::size_t escape = kEscaped.find(c);
    if (escape != std::string_view::npos) {
      out += '\\';
      out += kLetters[escape];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kDigits[static_cast<unsigned char>(c) >> 4];
      out += kDigits[static_cast<unsigned char>(c) & 0xF];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

namespace parse {

ConnectValue hstore_json(std::string_view text, const ValueReader&) {
  std::string json = "{";
  for (const auto& pair : parse_pairs(text)) {
    if (json.size() > 1) json += ',';
    append_quoted(json, pair.key);
    json += ':';
    if (pair.value) {
      append_quoted(json, *pair.value);
    } else {
      json += "null";
    }
  }
  json += '}';
  return {std::move(json)};
}

ConnectValue hstore_map(std::string_view text, const ValueReader&) {
  ConnectMap map;
  for (auto& pair : parse_pairs(text)) {
    ConnectValue value;
    if (pair.value) value.value = *std::move(pair.value);
    map.entries.emplace_back(std::move(pair.key), std::move(value));
  }
  return {std::move(map)};
}

}  // namespace parse
}  // namespace walpost
