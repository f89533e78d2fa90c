#include "walpost_options.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace walpost::test {
namespace {

// Debezium's options that say how the rows are fetched, not what becomes of them.
constexpr std::array<std::string_view, 7> kOfNoMeaning{
    "heartbeat.interval.ms",       "max.queue.size",     "max.batch.size",
    "publication.autocreate.mode", "table.include.list", "message.prefix.include.list",
    "tracing.operation.name"};

constexpr std::array<std::string_view, 4> kSwitches{
    "route.tombstone.on.empty.payload", "table.expand.json.payload", "extended.headers.enabled",
    "include.unknown.datatypes"};

bool is_one_of(const auto& names, const std::string& name) {
  return std::ranges::find(names, std::string_view(name)) != names.end();
}

std::string with_dashes(std::string name) {
  std::ranges::replace(name, '.', '-');
  return name;
}

std::string environment_name(std::string name) {
  for (char& c : name) c = c == '.' ? '_' : static_cast<char>(c - ('a' <= c && c <= 'z' ? 32 : 0));
  return "WALPOST_" + name;
}

std::string class_name(const std::string& java_class) {
  return java_class.substr(java_class.rfind('.') + 1);
}

// BinaryDataConverter takes the bytes, or has a delegate for what is not bytes. Whoever sets a
// format knows which of the two the payload is.
bool has_bytea_payload(const Vector& vector) {
  return std::ranges::any_of(vector.ddl, [](const std::string& statement) {
    return statement.find("payload bytea") != std::string::npos;
  });
}

// `role`: key, value or header.
std::string format_of(const Vector& vector, const std::string& role) {
  const TextMap& converters = vector.converters;
  std::string prefix = role + ".converter";
  const auto given = converters.find(prefix);
  if (given == converters.end()) return role == "header" ? "simple" : "raw";
  std::string converter = class_name(given->second);
  const auto delegate = converters.find(prefix + ".delegate.converter.type");
  if (delegate != converters.end() && !has_bytea_payload(vector)) {
    converter = class_name(delegate->second);
    prefix = delegate->first;
  }
  if (converter == "JsonConverter") {
    return converters.at(prefix + ".schemas.enable") == "true" ? "json-schema" : "json";
  }
  if (converter == "SimpleHeaderConverter") return "simple";
  return "raw";
}

TextMap connector_and_router(const Vector& vector) {
  TextMap all = vector.connector;
  all.insert(vector.router.begin(), vector.router.end());
  std::erase_if(all, [](const auto& entry) { return is_one_of(kOfNoMeaning, entry.first); });
  return all;
}

}  // namespace

std::vector<std::string> walpost_arguments(const Vector& vector) {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : connector_and_router(vector)) {
    if (is_one_of(kSwitches, name)) continue;
    arguments.push_back("--" + with_dashes(name) + "=" + value);
  }
  for (const std::string role : {"key", "value", "header"}) {
    arguments.push_back("--" + role + "-format=" + format_of(vector, role));
  }
  for (const std::string& table : vector.tables) arguments.push_back("--table=" + table);
  return arguments;
}

std::vector<std::string> walpost_environment(const Vector& vector) {
  std::vector<std::string> environment;
  for (const auto& [name, value] : connector_and_router(vector)) {
    if (is_one_of(kSwitches, name)) environment.push_back(environment_name(name) + "=" + value);
  }
  return environment;
}

}  // namespace walpost::test
