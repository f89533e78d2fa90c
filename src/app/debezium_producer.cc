#include <fmt/format.h>

#include <optional>
#include <utility>

#include "debezium_parts.h"

namespace walpost {
namespace {

using Verdict = DebeziumVerdict;

// A value of the login module in sasl.jaas.config: key="value".
std::optional<std::string> jaas_value(std::string_view config, std::string_view key) {
  const std::string begin = fmt::format(" {}=\"", key);
  const std::size_t at = config.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  std::string value;
  for (std::size_t i = at + begin.size(); i < config.size(); ++i) {
    if (config[i] == '"') return value;
    if (config[i] == '\\' && i + 1 < config.size()) ++i;
    value += config[i];
  }
  return std::nullopt;
}

constexpr std::string_view kProducer = "producer.override.";

std::string producer_name(std::string_view name) { return fmt::format("{}{}", kProducer, name); }

void note_jaas(DebeziumNotes& notes) {
  const std::string name = producer_name("sasl.jaas.config");
  const auto text = notes.text(name);
  if (!text) return;
  const auto user = jaas_value(*text, "username");
  const auto password = jaas_value(*text, "password");
  const bool is_known = text->find("PlainLoginModule") != std::string_view::npos ||
                        text->find("ScramLoginModule") != std::string_view::npos;
  if (!is_known || !user || !password) {
    return notes.note(name, Verdict::kWarned, "kafka-property",
                      "a login module other than PlainLoginModule and ScramLoginModule: librdkafka "
                      "has its own properties, given with -X");
  }
  notes.append(name, "kafka-property", fmt::format("sasl.username={}", *user));
  notes.append(name, "kafka-property", fmt::format("sasl.password={}", *password),
               "sasl.username and sasl.password");
}

// A file of a Java store, where librdkafka can read that kind.
void note_store(DebeziumNotes& notes, std::string_view store, std::string_view type,
                std::string_view property) {
  const std::string name = producer_name(fmt::format("ssl.{}.location", store));
  const auto location = notes.text(name);
  if (!location) return;
  const auto given = notes.text(producer_name(fmt::format("ssl.{}.type", store)));
  if (is_one_of(given.value_or("JKS"), type)) {
    return notes.append(name, "kafka-property", fmt::format("{}={}", property, *location));
  }
  notes.note(name, Verdict::kWarned, "kafka-property",
             find_debezium_row(DebeziumScope::kProducer, name.substr(kProducer.size()))->reason);
}

// What belongs to the key store, once it is known whether librdkafka can read that.
void note_keystore_settings(DebeziumNotes& notes) {
  const bool is_read =
      notes.text(producer_name("ssl.keystore.location")) &&
      is_one_of(notes.text(producer_name("ssl.keystore.type")).value_or("JKS"), "PKCS12");
  const std::string type = producer_name("ssl.keystore.type");
  if (notes.text(type)) notes.note(type, Verdict::kNotNeeded, "", "with ssl.keystore.location");
  const std::string password = producer_name("ssl.keystore.password");
  const auto text = notes.text(password);
  if (text && is_read) {
    notes.append(password, "kafka-property", fmt::format("ssl.keystore.password={}", *text));
  } else if (text) {
    notes.note(password, Verdict::kNotNeeded, "", "of a key store that librdkafka does not read");
  }
}

}  // namespace

void translate_producer_security(DebeziumNotes& notes) {
  note_jaas(notes);
  note_store(notes, "truststore", "PEM", "ssl.ca.location");
  note_store(notes, "keystore", "PKCS12", "ssl.keystore.location");
  note_keystore_settings(notes);
  const std::string identification = producer_name("ssl.endpoint.identification.algorithm");
  if (const auto text = notes.text(identification)) {
    const std::string_view algorithm = trimmed_as_java(*text);
    notes.append(identification, "kafka-property",
                 fmt::format("ssl.endpoint.identification.algorithm={}",
                             algorithm.empty() ? "none" : algorithm));
  }
}

void translate_topic_creation(DebeziumNotes& notes) {
  constexpr std::string_view kGroup = "topic.creation.default.";
  bool is_asked_for = false;
  for (const auto& [rest, option] : {std::pair{"partitions", "topic-partitions"},
                                     {"replication.factor", "topic-replication-factor"}}) {
    const std::string name = fmt::format("{}{}", kGroup, rest);
    const auto text = notes.text(name);
    if (!text) continue;
    const std::string_view number = trimmed_as_java(*text);
    notes.become(name, option, number == "-1" ? "broker" : std::string(number));
    if (!is_asked_for) notes.imply(name, "topic-creation", "create");
    is_asked_for = true;
  }
  for (const std::string& name : notes.names_with_prefix(kGroup)) {
    const DebeziumRow* row = find_debezium_row(DebeziumScope::kConnector, name);
    const auto text = notes.text(name);
    if (!row->name.ends_with('*') || !text) continue;
    const std::string setting = fmt::format("{}={}", name.substr(kGroup.size()), *text);
    if (is_asked_for) {
      notes.append(name, "topic-config", setting);
    } else {
      notes.note(name, Verdict::kNotNeeded, "",
                 "without partitions and replication.factor Kafka Connect makes no topics");
    }
  }
}

}  // namespace walpost
