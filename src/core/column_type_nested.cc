#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "value_reader.h"

namespace walpost {
namespace {

// array_out's form: {a,"b \"c\"",NULL}, perhaps after its bounds: [2:3]={a,b}.
class ArrayText final {
 public:
  ArrayText(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {
    if (text_.starts_with('[')) {
      const std::size_t bounds_end = text_.find('=');
      if (bounds_end == std::string_view::npos) refuse_malformed("array");
      text_.remove_prefix(bounds_end + 1);
    }
    if (text_.size() < 2 || text_.front() != '{' || text_.back() != '}') refuse_malformed("array");
    text_ = text_.substr(1, text_.size() - 2);
    is_at_end_ = text_.empty();
  }

  [[nodiscard]] bool is_at_end() const { return is_at_end_; }

  // The next element; nullopt: NULL. Valid until the next call.
  std::optional<std::string_view> next() {
    if (text_.starts_with('{')) {
      throw ValueRefusal(
          "holds an array of more than one dimension, which its schema, an array of "
          "single values, cannot hold");
    }
    const bool is_quoted = text_.starts_with('"');
    const std::string_view element = is_quoted ? take_quoted() : take_bare();
    if (text_.empty()) {
      is_at_end_ = true;
    } else {
      if (text_.front() != delimiter_ || text_.size() == 1) refuse_malformed("array");
      text_.remove_prefix(1);
    }
    if (!is_quoted && element == "NULL") return std::nullopt;
    return element;
  }

 private:
  std::string_view take_bare() {
    const std::size_t end = std::min(text_.find(delimiter_), text_.size());
    const std::string_view element = text_.substr(0, end);
    if (element.empty() || element.find_first_of("{}\"\\") != std::string_view::npos) {
      refuse_malformed("array");
    }
    text_.remove_prefix(end);
    return element;
  }

  // A view of the text itself as far as nothing is escaped.
  std::string_view take_quoted() {
    text_.remove_prefix(1);
    const std::size_t end = text_.find_first_of("\"\\");
    if (end == std::string_view::npos) refuse_malformed("array");
    if (text_[end] == '"') {
      const std::string_view element = text_.substr(0, end);
      text_.remove_prefix(end + 1);
      return element;
    }
    unescaped_.clear();
    while (!text_.starts_with('"')) {
      if (text_.starts_with('\\')) text_.remove_prefix(1);
      if (text_.empty()) refuse_malformed("array");
      unescaped_ += text_.front();
      text_.remove_prefix(1);
    }
    text_.remove_prefix(1);
    return unescaped_;
  }

  std::string_view text_;
  char delimiter_;
  bool is_at_end_ = false;
  std::string unescaped_;
};

double take_double(std::string_view text, std::string_view type) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) refuse_malformed(type);
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

void append_little_endian(std::string& out, std::uint64_t value, int byte_count) {
  for (int i = 0; i < byte_count; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

std::uint32_t read_u32(std::string_view bytes, bool is_little_endian) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[is_little_endian ? 3 - i : i]);
    value = value << 8 | byte;
  }
  return value;
}

// EWKB: byte order │ type, with a flag where an SRID follows │ [SRID] │ …
std::optional<std::int32_t> srid_of(std::string_view ewkb) {
  constexpr std::uint32_t kHasSrid = 0x20000000;
  const bool is_little_endian = ewkb[0] != 0;
  if ((read_u32(ewkb.substr(1), is_little_endian) & kHasSrid) == 0) return std::nullopt;
  return static_cast<std::int32_t>(read_u32(ewkb.substr(5), is_little_endian));
}

}  // namespace

namespace parse {

ConnectValue array(std::string_view text, const ValueReader& reader) {
  ConnectArray result;
  ArrayText elements(text, reader.delimiter);
  while (!elements.is_at_end()) {
    const auto element = elements.next();
    if (element) {
      result.elements.push_back(reader.element->parse(*element, *reader.element));
      continue;
    }
    if (!reader.is_element_optional) {
      throw ValueRefusal("holds a NULL among its elements, which its schema does not allow");
    }
    result.elements.emplace_back();
  }
  return {std::move(result)};
}

// int2vector, oidvector: "1 2 3".
ConnectValue vector_of_integers(std::string_view text, const ValueReader& reader) {
  ConnectArray result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    result.elements.push_back(integer(text.substr(0, end), reader));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {std::move(result)};
}

// pgvector's vector and halfvec: "[1,2.5]". The element's reader makes float8 or float4.
ConnectValue vector_of_floats(std::string_view text, const ValueReader& reader) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') refuse_malformed("vector");
  text = text.substr(1, text.size() - 2);
  ConnectArray result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    result.elements.push_back(reader.element->parse(text.substr(0, end), *reader.element));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {std::move(result)};
}

// io.debezium.data.geometry.Point: x, y, wkb, srid.
ConnectValue point(std::string_view text, const ValueReader&) {
  constexpr int kWkbPoint = 1;
  constexpr char kLittleEndian = 1;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.front() != '(' || text.back() != ')') {
    refuse_malformed("point");
  }
  const double x = take_double(text.substr(1, comma - 1), "point");
  const double y = take_double(text.substr(comma + 1, text.size() - comma - 2), "point");
  Bytes wkb;
  wkb.data += kLittleEndian;
  append_little_endian(wkb.data, kWkbPoint, 4);
  append_little_endian(wkb.data, std::bit_cast<std::uint64_t>(x), 8);
  append_little_endian(wkb.data, std::bit_cast<std::uint64_t>(y), 8);
  ConnectStruct result;
  result.members.reserve(4);
  result.members.push_back({x});
  result.members.push_back({y});
  result.members.push_back({std::move(wkb)});
  result.members.emplace_back();
  return {std::move(result)};
}

// io.debezium.data.geometry.Geometry and Geography: wkb, srid.
ConnectValue geometry(std::string_view text, const ValueReader&) {
  constexpr std::size_t kMinBytes = 9;  // byte order, type, and a count or an SRID
  auto ewkb = decode_hex(text);
  if (!ewkb || ewkb->size() < kMinBytes) refuse_malformed("geometry");
  const auto srid = srid_of(*ewkb);
  ConnectStruct result;
  result.members.reserve(2);
  result.members.push_back({Bytes{*std::move(ewkb)}});
  result.members.emplace_back();
  if (srid) result.members.back().value = std::int64_t{*srid};
  return {std::move(result)};
}

}  // namespace parse
}  // namespace walpost
