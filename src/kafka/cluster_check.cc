#include "cluster_check.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "client_grave.h"
#include "kafka_client.h"
#include "kafka_error.h"
#include "topic_hint.h"
#include "walpost/clock.h"
#include "walpost/topic_name.h"
#include "walpost/wait.h"

namespace walpost {
namespace {

using std::chrono::milliseconds;

// How long the cluster is given to name a topic that it does not know at first: one that was just
// created reaches all brokers within it.
constexpr milliseconds kPause{200};

// A client for one check, with a handle on each topic so that its probe asks for them.
class Check final {
 public:
  Check(const RdKafkaConf& conf, std::span<const std::string> topics, milliseconds timeout)
      : deadline_(clock_.now() + timeout), client_(std::make_unique<KafkaClient>(conf)) {
    for (const std::string& topic : topics) {
      if (is_valid_topic_name(topic)) {
        handles_.emplace_back(rd_kafka_topic_new(client_->handle(), topic.c_str(), nullptr));
      }
    }
  }

  ~Check() {
    handles_.clear();  // before their client
    grave_.bury(std::move(client_));
  }
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  // Asks until the cluster answers for good, or the time is over.
  ProbeResult ask() {
    ProbeResult answer{.error = RD_KAFKA_RESP_ERR__TIMED_OUT, .topics = {}};
    while (true) {
      client_->probe().ask();
      while (!take_answer(answer)) {
        if (!wait(deadline_)) {
          return answer;
        }
      }
      const bool is_final = answer.error == RD_KAFKA_RESP_ERR_NO_ERROR && knows_all(answer);
      if (is_final || !wait(std::min(deadline_, clock_.now() + kPause), true)) {
        return answer;
      }
    }
  }

  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  bool take_answer(ProbeResult& answer) {
    client_->wake().clear();
    while (const RdKafkaEvent event = client_->poll()) {
      const bool is_reason =
          rd_kafka_event_type(event.get()) == RD_KAFKA_EVENT_ERROR &&
          rd_kafka_event_error(event.get()) != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN;
      if (is_reason) {
        reason_ = rd_kafka_event_error_string(event.get());
      }
    }
    std::optional<ProbeResult> taken = client_->probe().take_result();
    if (taken) {
      answer = std::move(*taken);
    }
    return taken.has_value();
  }

  static bool knows_all(const ProbeResult& answer) {
    return std::none_of(answer.topics.begin(), answer.topics.end(), [](const TopicMetadata& topic) {
      return topic.error == RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE;
    });
  }

  // Until the client wakes us or `until`. False: the deadline has passed.
  bool wait(TimePoint until, bool is_pause = false) const {
    const WaitFor wake{.fd = is_pause ? -1 : client_->wake().fd(), .readable = true};
    wait_for_any(std::array{wake}, until, clock_);
    return clock_.now() < deadline_;
  }

  SystemClock clock_;
  TimePoint deadline_;
  ClientGrave grave_;
  std::unique_ptr<KafkaClient> client_;
  std::vector<RdKafkaTopic> handles_;
  std::string reason_;
};

TopicReport report_on(const std::string& name, const ProbeResult& answer,
                      const ClusterNames& cluster) {
  TopicReport report{.name = name,
                     .is_usable = false,
                     .is_missing = false,
                     .partition_count = 0,
                     .problem = {},
                     .hint = {}};
  if (const auto fault = topic_name_fault(name)) {
    report.problem = fmt::format("the name {}", *fault);
    return report;
  }
  const auto found =
      std::find_if(answer.topics.begin(), answer.topics.end(),
                   [&name](const TopicMetadata& topic) { return topic.name == name; });
  const int error =
      found != answer.topics.end() ? found->error : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    report.is_usable = true;
    report.partition_count = found->partition_count;
  } else {
    report.is_missing = is_missing_topic_error(error);
    report.problem =
        fmt::format("{}: {}", kafka_error_text(error), kafka_error_rule(error).sentence);
    report.hint = topic_hint(name, error, cluster);
  }
  return report;
}

}  // namespace

ClusterReport describe_cluster(const KafkaSettings& settings, std::span<const std::string> topics,
                               milliseconds timeout) {
  ProducerConf conf = make_producer_conf(settings, TopicCreation::kNever);
  ClusterReport report;
  report.warnings = std::move(conf.warnings);
  Check check(conf.conf, topics, timeout);
  const ProbeResult answer = check.ask();
  const ClusterNames cluster = cluster_names(conf.conf);
  report.is_reachable = answer.error == RD_KAFKA_RESP_ERR_NO_ERROR;
  if (!report.is_reachable) {
    report.problem =
        fmt::format("no broker of {} answers: {}", cluster.brokers,
                    check.reason().empty() ? kafka_error_text(answer.error) : check.reason());
    report.hint =
        "check the addresses, and security.protocol and its kin (-X) if the brokers use TLS or "
        "SASL";
    return report;
  }
  for (const std::string& topic : topics) {
    report.topics.push_back(report_on(topic, answer, cluster));
  }
  return report;
}

}  // namespace walpost
