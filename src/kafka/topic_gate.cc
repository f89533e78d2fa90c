#include "topic_gate.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <system_error>

#include "kafka_error.h"
#include "topic_hint.h"
#include "walpost/error.h"
#include "walpost/topic_name.h"

namespace walpost {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A topic that is just being created is there within a second, and no news before.
constexpr milliseconds kGrace{1'000};
constexpr milliseconds kFirstRetry{50};  // during the grace
constexpr milliseconds kLaterRetry{500};
// The broker refused a write: each attempt costs a new client, so they are rarer.
constexpr seconds kRefusedRetry{2};
constexpr seconds kFirstWarningInterval{10};
constexpr seconds kLongestWarningInterval{300};
// As often as librdkafka itself by default, so that new partitions get their keys.
constexpr std::chrono::minutes kRefresh{5};
// A topic that no record was offered for this long is not asked about on its own account.
constexpr seconds kWanted{5};

struct NewTopicDeleter {
  void operator()(rd_kafka_NewTopic_t* topic) const noexcept { rd_kafka_NewTopic_destroy(topic); }
};
struct AdminOptionsDeleter {
  void operator()(rd_kafka_AdminOptions_t* options) const noexcept {
    rd_kafka_AdminOptions_destroy(options);
  }
};

// A handle that leads back to its Topic from a delivery report.
RdKafkaTopic make_handle(Topic& topic, rd_kafka_t* client) {
  RdKafkaTopicConf conf(rd_kafka_default_topic_conf_dup(client));
  rd_kafka_topic_conf_set_opaque(conf.get(), &topic);
  RdKafkaTopic handle(rd_kafka_topic_new(client, topic.name.c_str(), conf.release()));
  if (handle == nullptr) {
    throw Error::retryable(
        ExitCode::kUndeliverable,
        fmt::format("topic {}: {}", topic.name, kafka_error_text(rd_kafka_last_error())));
  }
  return handle;
}

}  // namespace

TopicGate::TopicGate(TopicGateOptions options, const Log& log, const Clock& clock)
    : options_(std::move(options)), log_(log), clock_(clock), topics_(options_.most_topics) {}

Topic* TopicGate::enter(const Record& record, rd_kafka_s* client) {
  Topic* topic = topics_.find(record.topic);
  if (topic != nullptr && topic->is_ready) {
    return topic;
  }
  return enter_closed(record, client);
}

Topic* TopicGate::enter_closed(const Record& record, rd_kafka_s* client) {
  Topic* topic = topics_.find(record.topic);
  if (topic == nullptr) {
    if (const auto fault = topic_name_fault(record.topic)) {
      throw Error(ExitCode::kUndeliverable,
                  fmt::format("event id {}: the name of its topic {}", record.event_id, *fault),
                  "mend the routing (--route-topic-replacement), or what the applications write "
                  "into its column");
    }
    topic = topics_.add(record.topic);
    if (topic == nullptr) {
      needs_client_ = true;
      return nullptr;
    }
  }
  topic->wanted_at = clock_.now();
  if (topic->handle == nullptr) {
    topic->handle = make_handle(*topic, client);
    probe_at_ = clock_.now();
  }
  if (topic->is_expired) {
    throw Error(
        ExitCode::kUndeliverable,
        fmt::format(
            "topic {}: {} for {} s; event id {} cannot be delivered", topic->name,
            kafka_error_text(topic->problem),
            std::chrono::duration_cast<seconds>(clock_.now() - topic->problem_since).count(),
            record.event_id),
        hint(*topic));
  }
  if (!probe_at_) {
    probe_at_ = std::max(clock_.now() + kLaterRetry, topic->held_until);
  }
  return nullptr;
}

void TopicGate::apply(const ProbeResult& result, rd_kafka_s* client, rd_kafka_queue_s* queue) {
  for (const TopicMetadata& metadata : result.topics) {
    Topic* topic = topics_.find(metadata.name);
    if (topic == nullptr || topic->handle == nullptr) {
      continue;
    }
    if (metadata.error == RD_KAFKA_RESP_ERR_NO_ERROR) {
      open(*topic, metadata.partition_count);
      continue;
    }
    if (topic->is_ready) {
      continue;  // librdkafka may know better, and its reports tell
    }
    note_problem(*topic, metadata.error);
    if (options_.creation == TopicCreation::kCreate && is_missing_topic_error(metadata.error)) {
      create(*topic, client, queue);
    }
  }
  plan_probe(result);
}

void TopicGate::plan_probe(const ProbeResult& result) {
  const TimePoint now = clock_.now();
  probe_at_ = now + kRefresh;
  for (const auto& entry : topics_) {
    const Topic& topic = entry.second;
    if (topic.is_ready || topic.handle == nullptr || now - topic.wanted_at > kWanted) {
      continue;
    }
    const bool was_asked =
        std::any_of(result.topics.begin(), result.topics.end(),
                    [&topic](const TopicMetadata& answer) { return answer.name == topic.name; });
    const bool is_fresh = !was_asked || now - topic.problem_since < kGrace;
    const TimePoint at = std::max(now + (is_fresh ? kFirstRetry : kLaterRetry), topic.held_until);
    probe_at_ = std::min(*probe_at_, at);
  }
}

void TopicGate::open(Topic& topic, std::int32_t partition_count) {
  topic.partition_count = partition_count;
  topic.partitions.resize(
      std::max(topic.partitions.size(), static_cast<std::size_t>(partition_count)));
  if (topic.is_ready || clock_.now() < topic.held_until) {
    return;
  }
  topic.is_ready = true;
  const bool is_write_refused = topic.held_until != TimePoint();
  if (topic.problem == 0 || is_write_refused) {
    return;  // whether a refused write is mended only the next report can tell
  }
  if (clock_.now() - topic.problem_since > kGrace) {
    log_(LogLevel::kInfo, "topic is ready", {{"topic", topic.name}});
  }
  clear_problem(topic);
}

void TopicGate::clear_problem(Topic& topic) noexcept {
  topic.problem = 0;
  topic.problem_detail.clear();
  topic.is_expired = false;
  topic.held_until = TimePoint();
}

void TopicGate::close(Topic& topic) {
  topic.is_ready = false;
  topic.wanted_at = clock_.now();
  probe_at_ = clock_.now();
}

void TopicGate::close_refused(Topic& topic, int error) {
  topic.is_ready = false;
  note_problem(topic, error);
  topic.held_until = clock_.now() + kRefusedRetry;
}

void TopicGate::note_problem(Topic& topic, int error) {
  const TimePoint now = clock_.now();
  if (topic.problem == 0) {
    topic.problem_since = now;
    topic.warning_interval = kFirstWarningInterval;
    topic.next_warning_at = is_authorization_error(error) ? now : now + kGrace;
  }
  topic.problem = error;
  if (now >= topic.next_warning_at) {
    warn(topic);
    topic.next_warning_at = now + topic.warning_interval;
    topic.warning_interval =
        std::min<Duration>(2 * topic.warning_interval, kLongestWarningInterval);
  }
  topic.is_expired = now - topic.problem_since >= options_.timeout;
}

void TopicGate::warn(const Topic& topic) const {
  log_(LogLevel::kWarn, "topic is not ready, records wait for it",
       {{"topic", topic.name},
        {"error", topic.problem_detail.empty()
                      ? kafka_error_text(topic.problem)
                      : fmt::format("{}; creating it: {}", kafka_error_text(topic.problem),
                                    topic.problem_detail)},
        {"hint", hint(topic)}});
}

std::string TopicGate::hint(const Topic& topic) const {
  std::string command = topic_hint(topic.name, topic.problem, options_.cluster);
  if (is_missing_topic_error(topic.problem) && options_.creation != TopicCreation::kCreate) {
    command += " (or let walpost do it: --topic-creation create)";
  }
  return command;
}

void TopicGate::create(Topic& topic, rd_kafka_s* client, rd_kafka_queue_s* queue) {
  if (topic.is_being_created) {
    return;
  }
  std::array<char, 512> text{};
  const std::unique_ptr<rd_kafka_NewTopic_t, NewTopicDeleter> request(
      rd_kafka_NewTopic_new(topic.name.c_str(), options_.cluster.partitions,
                            options_.cluster.replication_factor, text.data(), text.size()));
  if (request == nullptr) {
    throw Error(ExitCode::kUsage, fmt::format("--topic-creation create: {}", text.data()));
  }
  for (const auto& [name, value] : options_.config) {
    rd_kafka_NewTopic_set_config(request.get(), name.c_str(), value.c_str());
  }
  const std::unique_ptr<rd_kafka_AdminOptions_t, AdminOptionsDeleter> admin(
      rd_kafka_AdminOptions_new(client, RD_KAFKA_ADMIN_OP_CREATETOPICS));
  std::array<rd_kafka_NewTopic_t*, 1> requests{request.get()};
  rd_kafka_CreateTopics(client, requests.data(), requests.size(), admin.get(), queue);
  topic.is_being_created = true;
}

void TopicGate::apply_creation(rd_kafka_op_s* event) {
  std::size_t count = 0;
  const rd_kafka_topic_result_t** results =
      rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event), &count);
  const char* whole_error = rd_kafka_event_error(event) == RD_KAFKA_RESP_ERR_NO_ERROR
                                ? nullptr
                                : rd_kafka_event_error_string(event);
  for (std::size_t i = 0; i < count; ++i) {
    Topic* topic = topics_.find(rd_kafka_topic_result_name(results[i]));
    if (topic == nullptr) {
      continue;
    }
    topic->is_being_created = false;
    const rd_kafka_resp_err_t error = rd_kafka_topic_result_error(results[i]);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
      log_(LogLevel::kInfo, "topic created", {{"topic", topic->name}});
    } else if (error != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) {
      const char* why = rd_kafka_topic_result_error_string(results[i]);
      topic->problem_detail = why != nullptr ? why : rd_kafka_err2str(error);
    }
  }
  if (whole_error != nullptr) {
    // It names no topic: all that were asked for.
    for (auto& [name, topic] : topics_) {
      if (topic.is_being_created) {
        topic.is_being_created = false;
        topic.problem_detail = whole_error;
      }
    }
  }
  probe_at_ = clock_.now() + (whole_error == nullptr ? kFirstRetry : kLaterRetry);
}

void TopicGate::reset_client() {
  topics_.reset_client();
  needs_client_ = false;
  probe_at_ = clock_.now();
}

}  // namespace walpost
