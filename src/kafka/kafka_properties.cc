#include "kafka_properties.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <system_error>

#include "property_rules.h"
#include "walpost/error.h"
#include "walpost/nearest_name.h"

namespace walpost {
namespace {

constexpr std::size_t kErrorTextBytes = 512;  // as librdkafka's own examples use

// One property and where the operator wrote it, the beginning of every message about it.
struct GivenProperty {
  std::string origin;  // "--kafka-property", "--kafka-config: FILE:LINE"
  std::string name;
  std::string value;

  [[nodiscard]] std::string shown() const {
    return fmt::format("{}: {}={}", origin, name, is_secret_property(name) ? "***" : value);
  }
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<GivenProperty> read_config_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw Error(ExitCode::kUsage,
                fmt::format("--kafka-config: {}: {}", path,
                            std::error_code(errno, std::generic_category()).message()));
  }
  std::vector<GivenProperty> properties;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') {
      continue;
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      // The text itself may be half a password, so it is not repeated.
      throw Error(ExitCode::kUsage,
                  fmt::format("--kafka-config: {}:{}: not of the form key=value", path, number));
    }
    properties.push_back({.origin = fmt::format("--kafka-config: {}:{}", path, number),
                          .name = std::string(trimmed(text.substr(0, equals))),
                          .value = std::string(trimmed(text.substr(equals + 1)))});
  }
  if (file.bad()) {
    throw Error(ExitCode::kUsage, fmt::format("--kafka-config: {}: cannot be read", path));
  }
  return properties;
}

std::vector<GivenProperty> given_properties(const KafkaSettings& settings) {
  std::vector<GivenProperty> given;
  if (!settings.config_file.empty()) {
    given = read_config_file(settings.config_file);
  }
  for (const auto& [name, value] : settings.properties) {
    given.push_back({.origin = "--kafka-property", .name = name, .value = value});
  }
  return given;
}

struct FileCloser {
  void operator()(std::FILE* file) const noexcept { static_cast<void>(std::fclose(file)); }
};
struct Freer {
  void operator()(char* text) const noexcept { std::free(text); }
};

// Every name this librdkafka knows, read from the table it prints for its own documentation: its
// other listings leave out what has no value.
std::vector<std::string> known_properties() {
  char* buffer = nullptr;
  std::size_t size = 0;
  std::unique_ptr<std::FILE, FileCloser> stream(open_memstream(&buffer, &size));
  if (stream == nullptr) {
    return {};
  }
  rd_kafka_conf_properties_show(stream.get());
  stream.reset();  // only now is the buffer complete
  const std::unique_ptr<char, Freer> owned(buffer);
  std::vector<std::string> names;
  std::string_view rest(buffer, size);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t bar = line.find('|');
    const std::string_view name = trimmed(line.substr(0, bar));
    const bool is_row = bar != std::string_view::npos && !name.empty() &&
                        name.find_first_of("- ") == std::string_view::npos && name != "Property";
    if (is_row) {
      names.emplace_back(name);
    }
  }
  return names;
}

void set_own(const RdKafkaConf& conf, const char* name, const char* value) {
  std::array<char, kErrorTextBytes> text{};
  if (rd_kafka_conf_set(conf.get(), name, value, text.data(), text.size()) != RD_KAFKA_CONF_OK) {
    throw Error(ExitCode::kUnexpected,
                fmt::format("librdkafka does not take {}={}: {}", name, value, text.data()));
  }
}

void set_given(const RdKafkaConf& conf, const GivenProperty& property) {
  std::array<char, kErrorTextBytes> text{};
  switch (rd_kafka_conf_set(conf.get(), property.name.c_str(), property.value.c_str(), text.data(),
                            text.size())) {
    case RD_KAFKA_CONF_OK:
      return;
    case RD_KAFKA_CONF_UNKNOWN: {
      const std::optional<std::string> nearest = nearest_name(property.name, known_properties());
      throw Error(ExitCode::kUsage,
                  fmt::format("{}: librdkafka has no such property", property.shown()),
                  nearest ? fmt::format("did you mean {}?", *nearest) : std::string());
    }
    case RD_KAFKA_CONF_INVALID:
      break;
  }
  // librdkafka's text repeats the value.
  throw Error(ExitCode::kUsage,
              fmt::format("{}: {}", property.shown(),
                          is_secret_property(property.name) ? "librdkafka does not take this value"
                                                            : std::string_view(text.data())));
}

// Host by host, so that the order and blanks of two lists do not count.
std::vector<std::string> broker_list(std::string_view brokers) {
  std::vector<std::string> list;
  while (!brokers.empty()) {
    const std::string_view broker = brokers.substr(0, brokers.find(','));
    brokers.remove_prefix(std::min(broker.size() + 1, brokers.size()));
    if (!trimmed(broker).empty()) {
      list.emplace_back(trimmed(broker));
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

bool is_broker_list(std::string_view name) {
  return name == "bootstrap.servers" || name == "metadata.broker.list";
}

// --brokers, or else the same thing given as a property.
void set_brokers(const RdKafkaConf& conf, const KafkaSettings& settings,
                 std::span<const GivenProperty> given) {
  std::string brokers = settings.brokers;
  for (const GivenProperty& property : given) {
    if (!is_broker_list(property.name)) {
      continue;
    }
    if (settings.brokers.empty()) {
      brokers = property.value;
    } else if (broker_list(property.value) != broker_list(settings.brokers)) {
      throw Error(ExitCode::kUsage,
                  fmt::format("{}: contradicts --brokers {}", property.shown(), settings.brokers),
                  "give the brokers once, with --brokers");
    }
  }
  if (broker_list(brokers).empty()) {
    throw Error(ExitCode::kUsage, "--brokers: no Kafka broker is given",
                "--brokers HOST:PORT, or --sink stdout to do without Kafka");
  }
  set_own(conf, "bootstrap.servers", brokers.c_str());
}

}  // namespace

bool is_secret_property(std::string_view name) noexcept {
  // By the words in the name, so that a later librdkafka's secrets are covered too.
  constexpr std::array<std::string_view, 6> kWords{
      "password", "secret", "key.pem", "ssl_key", "oauthbearer.config", "jaas"};
  return std::any_of(kWords.begin(), kWords.end(), [name](std::string_view word) {
    return name.find(word) != std::string_view::npos;
  });
}

std::string conf_value(const RdKafkaConf& conf, const char* name) {
  std::size_t size = 0;
  if (rd_kafka_conf_get(conf.get(), name, nullptr, &size) != RD_KAFKA_CONF_OK || size == 0) {
    return {};
  }
  std::string value(size, '\0');
  if (rd_kafka_conf_get(conf.get(), name, value.data(), &size) != RD_KAFKA_CONF_OK) {
    return {};
  }
  value.resize(std::min(value.size(), value.find('\0')));
  return value;
}

ProducerConf make_producer_conf(const KafkaSettings& settings, TopicCreation topic_creation) {
  ProducerConf made{.conf = RdKafkaConf(rd_kafka_conf_new()), .warnings = {}};
  for (const OwnProperty& property : own_properties()) {
    set_own(made.conf, property.name, property.value);
  }
  // Without this a producer's metadata requests let the broker create what they name.
  set_own(made.conf, "allow.auto.create.topics",
          topic_creation == TopicCreation::kBroker ? "true" : "false");
  const std::vector<GivenProperty> given = given_properties(settings);
  for (const GivenProperty& property : given) {
    if (const std::optional<std::string_view> why = refusal(property.name, property.value)) {
      throw Error(ExitCode::kUsage, fmt::format("{}: {}", property.shown(), *why));
    }
    if (const std::optional<std::string_view> why = warning(property.name, property.value)) {
      made.warnings.push_back(fmt::format("{}: {}", property.shown(), *why));
    }
    if (!is_broker_list(property.name)) {
      set_given(made.conf, property);
    }
  }
  set_brokers(made.conf, settings, given);
  return made;
}

}  // namespace walpost
