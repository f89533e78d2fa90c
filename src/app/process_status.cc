#include "process_status.h"

#include <httplib.h>
#include <rapidjson/document.h>

namespace walpost {
namespace {

// It stands beside us, or nearly so.
constexpr std::chrono::seconds kAnswerTimeout{1};

using Object = rapidjson::Value;

std::string text(const Object& object, const char* key) {
  const auto member = object.FindMember(key);
  if (member == object.MemberEnd() || !member->value.IsString()) return {};
  return {member->value.GetString(), member->value.GetStringLength()};
}

std::uint64_t number(const Object& object, const char* key) {
  const auto member = object.FindMember(key);
  return member != object.MemberEnd() && member->value.IsUint64() ? member->value.GetUint64() : 0;
}

bool flag(const Object& object, const char* key) {
  const auto member = object.FindMember(key);
  return member != object.MemberEnd() && member->value.IsTrue();
}

std::optional<double> seconds(const Object& object, const char* key) {
  const auto member = object.FindMember(key);
  if (member == object.MemberEnd() || !member->value.IsNumber()) return std::nullopt;
  return member->value.GetDouble();
}

std::vector<ProcessStatus::LastError> last_errors(const Object& object) {
  std::vector<ProcessStatus::LastError> errors;
  const auto member = object.FindMember("last_errors");
  if (member == object.MemberEnd() || !member->value.IsArray()) return errors;
  for (const Object& error : member->value.GetArray()) {
    if (!error.IsObject()) continue;
    errors.push_back({text(error, "time"), text(error, "level"), text(error, "text")});
  }
  return errors;
}

}  // namespace

std::optional<ProcessStatus> parse_process_status(const std::string& json) {
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  if (document.HasParseError() || !document.IsObject()) return std::nullopt;
  ProcessStatus status;
  status.version = text(document, "version");
  status.slot = text(document, "slot");
  status.state = text(document, "state");
  if (status.version.empty() || status.slot.empty() || status.state.empty()) return std::nullopt;
  status.database = text(document, "database");
  status.system_identifier = text(document, "system_identifier");
  status.standby = flag(document, "standby");
  status.ready = flag(document, "ready");
  status.sink_reachable = flag(document, "sink_reachable");
  status.lag_seconds = seconds(document, "lag_seconds");
  status.in_flight_records = number(document, "in_flight_records");
  status.in_flight_bytes = number(document, "in_flight_bytes");
  status.events = number(document, "events");
  status.reconnects = number(document, "reconnects");
  status.last_errors = last_errors(document);
  return status;
}

std::optional<ProcessStatus> fetch_process_status(const HttpAddress& address) {
  httplib::Client client(address.host, address.port);
  client.set_connection_timeout(kAnswerTimeout);
  client.set_read_timeout(kAnswerTimeout);
  const httplib::Result result = client.Get("/status");
  if (!result || result->status != 200) return std::nullopt;
  return parse_process_status(result->body);
}

}  // namespace walpost
