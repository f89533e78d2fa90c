#include "kafka_findings.h"

#include <fmt/format.h>

#include <chrono>
#include <string>

#include "walpost/error.h"

namespace walpost {
namespace {

// A cluster that needs longer to say where it is will not carry a stream either.
constexpr std::chrono::seconds kClusterTimeout{10};

// The topics that are known without a row: one, where the template has no reference to a group.
std::vector<std::string> known_topics(const Options& options) {
  if (options.router.route_topic_replacement.find_first_of("$\\") != std::string::npos) return {};
  return {options.router.route_topic_replacement};
}

}  // namespace

Finding finding_of(const TopicReport& topic, const Options& options) {
  const bool may_be_created = topic.is_missing && options.topic_creation != TopicCreation::kNever;
  return {.severity = may_be_created ? Severity::kWarning : Severity::kError,
          .what = fmt::format("topic {}: {}", topic.name, topic.problem),
          .why = may_be_created
                     ? "it is created with the first record, if that is allowed"
                     : fmt::format("run stops with exit code {} at the first record for it",
                                   static_cast<int>(ExitCode::kUndeliverable)),
          .mend = topic.hint};
}

KafkaSettings kafka_settings_of(const Options& options) {
  return {.brokers = options.brokers,
          .properties = options.kafka_properties,
          .config_file = options.kafka_config_file};
}

std::vector<Finding> examine_kafka(const Options& options) {
  const ClusterReport report =
      describe_cluster(kafka_settings_of(options), known_topics(options), kClusterTimeout);
  std::vector<Finding> findings;
  if (!report.is_reachable) {
    findings.push_back(
        {.severity = Severity::kError,
         .what = report.problem,
         .why = "run starts and waits; the slot keeps WAL until Kafka can be reached",
         .mend = report.hint});
  }
  for (const TopicReport& topic : report.topics) {
    if (!topic.is_usable) findings.push_back(finding_of(topic, options));
  }
  for (const std::string& warning : report.warnings) {
    findings.push_back({.severity = Severity::kWarning, .what = warning, .why = {}, .mend = {}});
  }
  return findings;
}

}  // namespace walpost
