#include "vector.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <stdexcept>

#include "scratch.h"

namespace walpost::test {
namespace {

using Json = rapidjson::Value;

std::string text_of(const Json& value) { return {value.GetString(), value.GetStringLength()}; }

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> result;
  for (const Json& item : list.GetArray()) result.push_back(text_of(item));
  return result;
}

TextMap map_of(const Json& object) {
  TextMap result;
  for (const auto& member : object.GetObject()) {
    result.emplace(text_of(member.name), text_of(member.value));
  }
  return result;
}

std::string from_base64(const std::string& text) {
  static const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<std::uint32_t>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> static_cast<unsigned>(count) & 0xffU));
  }
  return bytes;
}

ExpectedBytes bytes_of(const Json& value) {
  using Kind = ExpectedBytes::Kind;
  if (value.IsNull()) return {};
  if (value.IsString()) return {Kind::kExactly, text_of(value)};
  if (value.HasMember("like")) return {Kind::kLike, text_of(value["like"])};
  return {Kind::kExactly, from_base64(text_of(value["base64"]))};
}

ExpectedRecord record_of(const Json& value) {
  ExpectedRecord record{.topic = text_of(value["topic"]),
                        .partition = std::nullopt,
                        .key = bytes_of(value["key"]),
                        .value = bytes_of(value["value"]),
                        .headers = {},
                        .timestamp_ms = std::nullopt,
                        .refused = value.HasMember("refused")};
  if (value["partition"].IsInt()) record.partition = value["partition"].GetInt();
  if (value["timestamp"].IsInt64()) record.timestamp_ms = value["timestamp"].GetInt64();
  for (const Json& pair : value["headers"].GetArray()) {
    record.headers.push_back({text_of(pair[0]), bytes_of(pair[1])});
  }
  return record;
}

Expectation expectation_of(const Json& value) {
  Expectation result{.outcome = text_of(value["outcome"]), .records = {}};
  if (!value.HasMember("records")) return result;
  for (const Json& record : value["records"].GetArray()) {
    result.records.push_back(record_of(record));
  }
  return result;
}

Vector vector_of(const Json& value) {
  const Json& config = value["config"];
  const Json& expected = value["expected"];
  Vector result{.id = text_of(value["id"]),
                .ddl = texts_of(value["ddl"]),
                .statements = {},
                .tables = {"public.outbox"},
                .router = map_of(config["router"]),
                .connector = map_of(config["connector"]),
                .converters = map_of(config["converters"]),
                .unstable = value.HasMember("unstable"),
                .debezium = expectation_of(expected["debezium"]),
                .walpost = std::nullopt};
  for (const Json& transaction : value["statements"].GetArray()) {
    result.statements.push_back(texts_of(transaction));
  }
  if (value.HasMember("tables")) result.tables = texts_of(value["tables"]);
  const Json& ours = expected["walpost"];
  if (ours.IsObject()) result.walpost = expectation_of(ours["differs"]);
  return result;
}

// The regular expression of a text with placeholders.
std::regex pattern_of(const std::string& text) {
  static const std::map<std::string, std::string> placeholders{
      {"<uuid>", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"},
      {"<number>", "-?[0-9]+"},
      {"<any>", "[^]*"},
      {"<hash>", "[0-9a-f]+"}};
  std::string pattern;
  for (std::size_t i = 0; i < text.size();) {
    const auto* found = static_cast<const std::pair<const std::string, std::string>*>(nullptr);
    for (const auto& placeholder : placeholders) {
      if (text.compare(i, placeholder.first.size(), placeholder.first) == 0) found = &placeholder;
    }
    if (found != nullptr) {
      pattern += found->second;
      i += found->first.size();
      continue;
    }
    if (std::string("\\^$.|?*+()[]{}").find(text[i]) != std::string::npos) pattern += '\\';
    pattern += text[i++];
  }
  return std::regex(pattern);
}

}  // namespace

bool ExpectedBytes::fits(const std::optional<std::string>& bytes) const {
  switch (kind) {
    case Kind::kNull:
      return !bytes;
    case Kind::kExactly:
      return bytes == text;
    case Kind::kLike:
      return bytes && std::regex_match(*bytes, pattern_of(text));
  }
  throw std::logic_error("no such kind of bytes");
}

std::vector<Vector> load_vectors() {
  const auto folder = std::filesystem::path(WALPOST_SOURCE_DIR) / "tests/conformance/vectors";
  std::vector<Vector> vectors;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    rapidjson::Document document;
    document.Parse(read_file(entry.path()).c_str());
    if (!document.IsObject() || !document["expected"].HasMember("debezium")) {
      throw std::runtime_error(entry.path().string() + " is no vector, or not recorded");
    }
    vectors.push_back(vector_of(document));
  }
  std::ranges::sort(vectors, {}, &Vector::id);
  return vectors;
}

}  // namespace walpost::test
