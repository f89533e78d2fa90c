#include "debezium_file.h"

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "properties_text.h"
#include "walpost/error.h"

namespace walpost {
namespace {

// Far beyond any connector's configuration: the file is likely another one.
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

Error refusal(const std::string& path, std::string_view why) {
  return {ExitCode::kUsage, fmt::format("--debezium-config: {}: {}", path, why)};
}

// Of a name that is there twice the last value counts, in the place of the first.
class Settings final {
 public:
  void put(std::string name, std::string text) {
    const auto [same, is_new] = places_.try_emplace(name, settings_.size());
    if (is_new) {
      settings_.emplace_back(std::move(name), std::move(text));
    } else {
      settings_[same->second].second = std::move(text);
    }
  }
  [[nodiscard]] DebeziumSettings take() { return std::move(settings_); }

 private:
  DebeziumSettings settings_;
  std::map<std::string, std::size_t> places_;
};

std::string text_of(const rapidjson::Value& value) {
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  return {value.GetString(), value.GetStringLength()};
}

DebeziumSettings parse_json(std::string_view text, const std::string& path) {
  constexpr unsigned kFlags = rapidjson::kParseNumbersAsStringsFlag |
                              rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag;
  rapidjson::Document document;
  document.Parse<kFlags>(text.data(), text.size());
  if (document.HasParseError()) {
    throw refusal(path, fmt::format("at byte {}: {}", document.GetErrorOffset(),
                                    rapidjson::GetParseError_En(document.GetParseError())));
  }
  if (!document.IsObject()) throw refusal(path, "must be a JSON object");
  const bool is_wrapped = document.HasMember("config") && document["config"].IsObject();
  const rapidjson::Value& map = is_wrapped ? document["config"] : document;
  Settings settings;
  for (const auto& member : map.GetObject()) {
    const std::string name(member.name.GetString(), member.name.GetStringLength());
    if (!member.value.IsString() && !member.value.IsBool()) {
      throw refusal(path, fmt::format("{}: must be a text, a number, true or false", name));
    }
    settings.put(name, text_of(member.value));
  }
  return settings.take();
}

}  // namespace

DebeziumSettings parse_debezium_file(std::string_view text, const std::string& path) {
  if (text.size() > kMaxBytes) throw refusal(path, "is larger than 1 MiB");
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) throw refusal(path, "is empty");
  if (text[begin] == '{') return parse_json(text, path);
  Settings settings;
  try {
    for (auto& [name, value] : parse_properties(text)) {
      settings.put(std::move(name), std::move(value));
    }
  } catch (const std::invalid_argument& error) {
    throw refusal(path, error.what());
  }
  return settings.take();
}

DebeziumSettings read_debezium_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad() || errno != 0) throw refusal(path, std::strerror(errno));
  return parse_debezium_file(text.view(), path);
}

}  // namespace walpost
