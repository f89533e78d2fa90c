#include "producer.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <random>
#include <string_view>
#include <utility>

#include "batch_isolation.h"
#include "broker_watch.h"
#include "client_grave.h"
#include "client_log.h"
#include "delivery_failure.h"
#include "kafka_client.h"
#include "kafka_error.h"
#include "topic_gate.h"
#include "walpost/check.h"
#include "walpost/error.h"

namespace walpost {
namespace {

// The wake-up by eventfd comes when librdkafka's empty queue gets an element. Should one ever be
// missed, this is how long it can matter.
constexpr std::chrono::seconds kLongestWait{1};

// The gapless guarantee stops the client before the report of the record that broke it is queued;
// the report follows at once.
constexpr std::chrono::seconds kRefusalPatience{2};

// How soon a new client is tried for again while too many old ones are still ending.
constexpr std::chrono::milliseconds kRenewalRetry{100};

// A broker forgets a producer that was idle for a day (producer.id.expiration.ms), which an
// operator may shorten.
constexpr std::chrono::minutes kBrokerMemory{10};

// librdkafka tells a null from an empty value by the pointer alone.
const void* bytes_of(std::string_view text) noexcept {
  return text.data() != nullptr ? text.data() : "";
}

struct ErrorDeleter {
  void operator()(rd_kafka_error_t* error) const noexcept { rd_kafka_error_destroy(error); }
};
struct HeadersDeleter {
  void operator()(rd_kafka_headers_t* headers) const noexcept { rd_kafka_headers_destroy(headers); }
};
using Headers = std::unique_ptr<rd_kafka_headers_t, HeadersDeleter>;

Headers make_headers(std::span<const Header> headers) {
  Headers made(rd_kafka_headers_new(headers.size()));
  for (const Header& header : headers) {
    const void* value = header.value ? bytes_of(*header.value) : nullptr;
    const std::size_t size = header.value ? header.value->size() : 0;
    const rd_kafka_resp_err_t error = rd_kafka_header_add(
        made.get(), header.name.data(), std::ssize(header.name), value, static_cast<ssize_t>(size));
    CHECK(error == RD_KAFKA_RESP_ERR_NO_ERROR);  // it only refuses lists that a message owns
  }
  return made;
}

TopicGateOptions gate_options(const ProducerOptions& options, const RdKafkaConf& conf) {
  ClusterNames cluster = cluster_names(conf);
  cluster.partitions = options.topic_partitions;
  cluster.replication_factor = options.topic_replication_factor;
  return {.creation = options.topic_creation,
          .config = options.topic_config,
          .timeout = options.topic_timeout,
          .cluster = std::move(cluster),
          .most_topics = options.topics_per_client};
}

}  // namespace

class Producer::Impl final {
 public:
  Impl(const ProducerOptions& options, Log log, const Clock& clock);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  bool try_send(const Record& record, Ticket ticket);
  void drain_reports(std::vector<DeliveryReport>& reports);
  void restart();
  [[nodiscard]] bool is_reachable() const noexcept { return brokers_.is_reachable(); }
  [[nodiscard]] WaitFor wait_for() const;

 private:
  bool produce(Topic& topic, const Record& record, Ticket ticket);
  std::int32_t choose_partition(const Topic& topic, const Record& record);
  [[nodiscard]] bool is_cold(const Partition& partition) const;
  bool on_refused_locally(Topic& topic, const Record& record, rd_kafka_resp_err_t error);
  void on_event(rd_kafka_event_t* event, std::vector<DeliveryReport>& reports);
  void on_reports(rd_kafka_event_t* event, std::vector<DeliveryReport>& reports);
  void on_failed(const FailedBatch& failed, std::vector<DeliveryReport>& reports);
  void on_error(rd_kafka_event_t* event);
  void on_fatal();
  void on_log(rd_kafka_event_t* event);
  void ask_cluster_if_due();
  // Notes that this client is of no further use; the first reason counts.
  void lose(std::string why, std::string hint = {});
  void throw_if_lost() const;
  void renew_client();
  // False: too many old clients are still ending, so that there is no new one yet.
  bool has_client();

  Log log_;
  const Clock& clock_;
  ProducerConf conf_;
  TopicGate gate_;
  BrokerWatch brokers_;
  ClientLog client_log_;
  BatchIsolation isolation_;
  ClientGrave grave_;
  std::unique_ptr<KafkaClient> client_;  // null only while the grave is full
  std::uint64_t in_flight_count_ = 0;
  std::minstd_rand any_partition_{std::random_device{}()};
  TimePoint drained_at_;  // near enough to now for what is measured in minutes
  std::optional<Error> lost_;
  // Since when the client is stopped by the gapless guarantee, its refused record not yet reported.
  std::optional<TimePoint> stopped_since_;
};

Producer::Impl::Impl(const ProducerOptions& options, Log log, const Clock& clock)
    : log_(std::move(log)),
      clock_(clock),
      conf_(make_producer_conf(options.kafka, options.topic_creation)),
      gate_(gate_options(options, conf_.conf), log_, clock),
      brokers_(conf_value(conf_.conf, "bootstrap.servers"), log_, clock),
      client_log_(log_, clock),
      isolation_(log_) {
  for (const std::string& warning : conf_.warnings) {
    log_(LogLevel::kWarn, "unwise Kafka property", {{"error", warning}});
  }
  client_ = std::make_unique<KafkaClient>(conf_.conf);
}

Producer::Impl::~Impl() {
  gate_.reset_client();  // its handles must go before their client
  if (client_ != nullptr) {
    grave_.bury(std::move(client_));
  }
}

bool Producer::Impl::try_send(const Record& record, Ticket ticket) {
  throw_if_lost();
  if (stopped_since_ || !has_client()) {
    return false;
  }
  if (isolation_.is_over() || gate_.needs_client()) {
    if (in_flight_count_ > 0) {
      return false;
    }
    renew_client();
    if (!has_client()) {
      return false;
    }
  }
  Topic* topic = gate_.enter(record, client_->handle());
  return topic != nullptr && produce(*topic, record, ticket);
}

bool Producer::Impl::produce(Topic& topic, const Record& record, Ticket ticket) {
  const std::int32_t partition = choose_partition(topic, record);
  if (partition < 0 || partition >= topic.partition_count) {
    return on_refused_locally(topic, record, RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION);
  }
  Partition& lane = topic.partitions[static_cast<std::size_t>(partition)];
  if (lane.in_flight_count > 0 && is_cold(lane)) {
    return false;
  }
  std::array<rd_kafka_vu_t, 8> arguments;  // NOLINT: each is set just below
  std::size_t count = 0;
  const auto add = [&](rd_kafka_vtype_t type) -> rd_kafka_vu_t& {
    arguments[count].vtype = type;
    return arguments[count++];
  };
  add(RD_KAFKA_VTYPE_RKT).u.rkt = topic.handle.get();
  add(RD_KAFKA_VTYPE_PARTITION).u.i32 = partition;
  add(RD_KAFKA_VTYPE_MSGFLAGS).u.i = RD_KAFKA_MSG_F_COPY;
  add(RD_KAFKA_VTYPE_TIMESTAMP).u.i64 = record.timestamp_ms;
  add(RD_KAFKA_VTYPE_OPAQUE).u.ptr = std::bit_cast<void*>(std::uintptr_t{ticket.value});
  if (record.value) {
    // librdkafka copies from it, though its type says otherwise.
    add(RD_KAFKA_VTYPE_VALUE).u.mem = {const_cast<void*>(bytes_of(*record.value)),
                                       record.value->size()};
  }
  if (record.key) {
    add(RD_KAFKA_VTYPE_KEY).u.mem = {const_cast<void*>(bytes_of(*record.key)), record.key->size()};
  }
  Headers headers;
  if (!record.headers.empty()) {
    headers = make_headers(record.headers);
    add(RD_KAFKA_VTYPE_HEADERS).u.headers = headers.get();
  }
  const std::unique_ptr<rd_kafka_error_t, ErrorDeleter> error(
      rd_kafka_produceva(client_->handle(), arguments.data(), count));
  if (error != nullptr) {
    return on_refused_locally(topic, record, rd_kafka_error_code(error.get()));
  }
  static_cast<void>(headers.release());  // the message owns them now
  topic.is_recounted = false;
  ++lane.in_flight_count;
  ++topic.in_flight_count;
  ++in_flight_count_;
  return true;
}

// Java's rule. Without a key any partition will do, as long as its number is known before.
std::int32_t Producer::Impl::choose_partition(const Topic& topic, const Record& record) {
  if (record.partition) {
    return *record.partition;
  }
  if (!record.key) {
    return std::uniform_int_distribution(0, topic.partition_count - 1)(any_partition_);
  }
  return rd_kafka_msg_partitioner_murmur2(topic.handle.get(), bytes_of(*record.key),
                                          record.key->size(), topic.partition_count, nullptr,
                                          nullptr);
}

// True while the partition's broker may know nothing of this client.
bool Producer::Impl::is_cold(const Partition& partition) const {
  return !partition.acked_at || drained_at_ - *partition.acked_at > kBrokerMemory;
}

// What produce() does not take, in our own process: whether that is for now or for good.
bool Producer::Impl::on_refused_locally(Topic& topic, const Record& record,
                                        rd_kafka_resp_err_t error) {
  // A client that has stopped answers with what stopped it; the report that names the record is
  // already on its way.
  if (rd_kafka_fatal_error(client_->handle(), nullptr, 0) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    on_fatal();
    throw_if_lost();
    return false;
  }
  switch (static_cast<int>(error)) {
    case RD_KAFKA_RESP_ERR__QUEUE_FULL:
      return false;
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
      throw oversized_error({.topic = topic.name,
                             .event_id = std::string(record.event_id),
                             .bytes = Sink::size_of(record),
                             .limit_bytes = conf_value(conf_.conf, "message.max.bytes")});
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
      if (record.partition && (topic.is_recounted || *record.partition < 0)) {
        throw Error(
            ExitCode::kUndeliverable,
            fmt::format("event id {} names partition {} of topic {}, which has {}", record.event_id,
                        *record.partition, topic.name, topic.partition_count),
            "mend what sets the partition, or add partitions with kafka-topics.sh --alter");
      }
      topic.is_recounted = true;
      gate_.close(topic);
      return false;
    default:
      break;
  }
  // The topic went away or was closed to us. What is in flight to it fails too, and this record
  // must not pass that.
  const KafkaErrorRule rule = kafka_error_rule(error);
  if (rule.verdict == KafkaVerdict::kTopicHeld && topic.in_flight_count == 0) {
    gate_.close(topic);
    return false;
  }
  lose(fmt::format("topic {}: {}: {}", topic.name, kafka_error_text(error), rule.sentence));
  throw_if_lost();
  return false;
}

void Producer::Impl::drain_reports(std::vector<DeliveryReport>& reports) {
  const std::size_t count_before = reports.size();
  drained_at_ = clock_.now();
  if (!has_client()) {
    return;
  }
  client_->wake().clear();  // before the queue is emptied, so that what comes later wakes again
  while (const RdKafkaEvent event = client_->poll()) {
    on_event(event.get(), reports);
  }
  if (const std::optional<ProbeResult> result = client_->probe().take_result()) {
    brokers_.note_answer(result->error);
    if (result->error == RD_KAFKA_RESP_ERR_NO_ERROR) {
      gate_.apply(*result, client_->handle(), client_->queue());
    }
  }
  ask_cluster_if_due();
  if (stopped_since_ && clock_.now() - *stopped_since_ >= kRefusalPatience) {
    lose("the producer stopped because a record failed, and does not say which");
  }
  // Reports first: wait_for() brings the caller back at once.
  if (reports.size() == count_before) {
    throw_if_lost();
  }
}

void Producer::Impl::ask_cluster_if_due() {
  const TimePoint now = clock_.now();
  const bool is_due =
      brokers_.is_probe_due(in_flight_count_) || gate_.probe_at().value_or(TimePoint::max()) <= now;
  if (is_due && !client_->probe().is_busy()) {
    client_->probe().ask();
    brokers_.note_asked();
    gate_.note_asked();
  }
}

void Producer::Impl::on_event(rd_kafka_event_t* event, std::vector<DeliveryReport>& reports) {
  switch (rd_kafka_event_type(event)) {
    case RD_KAFKA_EVENT_DR:
      return on_reports(event, reports);
    case RD_KAFKA_EVENT_ERROR:
      return on_error(event);
    case RD_KAFKA_EVENT_LOG:
      return on_log(event);
    case RD_KAFKA_EVENT_CREATETOPICS_RESULT:
      return gate_.apply_creation(event);
    default:
      return;  // kinds that were not asked for
  }
}

void Producer::Impl::on_reports(rd_kafka_event_t* event, std::vector<DeliveryReport>& reports) {
  FailedBatch failed;
  while (const rd_kafka_message_t* message = rd_kafka_event_message_next(event)) {
    auto& topic = *static_cast<Topic*>(rd_kafka_topic_opaque(message->rkt));
    Partition& lane = topic.partitions.at(static_cast<std::size_t>(message->partition));
    --lane.in_flight_count;
    --topic.in_flight_count;
    --in_flight_count_;
    if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
      failed.add(*message);
      continue;
    }
    lane.acked_at = drained_at_;
    TopicGate::note_delivered(topic);
    reports.push_back({.ticket = Ticket{std::bit_cast<std::uintptr_t>(message->_private)},
                       .bytes = message->len + message->key_len,
                       .refusal = nullptr});
    if (isolation_.is_active()) {
      isolation_.note_delivered(event_id_of(*message));
    }
  }
  if (failed.record_count == 0) {
    brokers_.note_delivered();
  } else if (!lost_) {
    on_failed(failed, reports);
  }
}

void Producer::Impl::on_failed(const FailedBatch& failed, std::vector<DeliveryReport>& reports) {
  const KafkaErrorRule rule = kafka_error_rule(failed.error);
  const std::string why = fmt::format("topic {}: {}: {}", failed.topic->name,
                                      kafka_error_text(failed.error), rule.sentence);
  switch (rule.verdict) {
    case KafkaVerdict::kRefused:
      if (failed.record_count > 1) {
        isolation_.begin(failed);
        return lose(
            fmt::format("{} records were refused together; they are sent again one by one "
                        "to find the one: {}",
                        failed.record_count, why));
      }
      reports.push_back(
          {.ticket = failed.ticket,
           .bytes = failed.bytes,
           .refusal = std::make_unique<Error>(refusal_error(failed, brokers_.bootstrap()))});
      return lose(fmt::format("a record was refused and nothing may pass it: {}", why));
    case KafkaVerdict::kTopicHeld:
      gate_.close_refused(*failed.topic, failed.error);
      return lose(why);
    case KafkaVerdict::kClientLost:
      // Records that fail because the client has stopped say nothing of the one that stopped it.
      on_fatal();
      if (!stopped_since_) {
        lose(why);
      }
      return;
  }
}

void Producer::Impl::on_error(rd_kafka_event_t* event) {
  const rd_kafka_resp_err_t error = rd_kafka_event_error(event);
  if (error == RD_KAFKA_RESP_ERR__FATAL || rd_kafka_event_error_is_fatal(event) != 0) {
    return on_fatal();
  }
  brokers_.note_error(error, rd_kafka_event_error_string(event));
}

void Producer::Impl::on_fatal() {
  std::array<char, 512> text{};
  const rd_kafka_resp_err_t error =
      rd_kafka_fatal_error(client_->handle(), text.data(), text.size());
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR || lost_ || stopped_since_) {
    return;
  }
  if (error == RD_KAFKA_RESP_ERR__GAPLESS_GUARANTEE) {
    stopped_since_ = clock_.now();
    return;
  }
  lose(fmt::format("{}: {}: {}", kafka_error_text(error), kafka_error_rule(error).sentence,
                   text.data()),
       error == RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED
           ? fmt::format("kafka-acls.sh --bootstrap-server {} --add --allow-principal "
                         "'User:PRINCIPAL' --operation IdempotentWrite --cluster",
                         brokers_.bootstrap())
           : std::string());
}

void Producer::Impl::on_log(rd_kafka_event_t* event) {
  const char* facility = nullptr;
  const char* text = nullptr;
  int level = 0;
  if (rd_kafka_event_log(event, &facility, &text, &level) == 0) {
    client_log_.line(level, facility, text);
  }
}

void Producer::Impl::lose(std::string why, std::string hint) {
  if (!lost_) {
    lost_ = Error::retryable(ExitCode::kUndeliverable, "Kafka producer lost: " + std::move(why),
                             std::move(hint));
  }
}

void Producer::Impl::throw_if_lost() const {
  if (lost_) {
    throw *lost_;
  }
}

void Producer::Impl::restart() { renew_client(); }

void Producer::Impl::renew_client() {
  gate_.reset_client();  // its handles must go before their client
  if (client_ != nullptr) {
    grave_.bury(std::move(client_));
  }
  in_flight_count_ = 0;
  stopped_since_.reset();
  lost_.reset();
  static_cast<void>(has_client());
}

bool Producer::Impl::has_client() {
  if (client_ == nullptr && !grave_.is_full()) {
    const RdKafkaConf conf = isolation_.next_conf(conf_.conf);
    client_ = std::make_unique<KafkaClient>(conf);
    brokers_.note_new_client();
  }
  return client_ != nullptr;
}

WaitFor Producer::Impl::wait_for() const {
  const TimePoint now = clock_.now();
  if (client_ == nullptr) {
    return {.fd = -1, .readable = false, .writable = false, .at = now + kRenewalRetry};
  }
  WaitFor wait{.fd = client_->wake().fd(), .readable = true, .writable = false, .at = {}};
  if (lost_ || (gate_.needs_client() && in_flight_count_ == 0)) {
    wait.at = now;
    return wait;
  }
  wait.at = now + kLongestWait;
  const std::optional<TimePoint> probe_at = gate_.probe_at();
  if (probe_at && !client_->probe().is_busy()) {  // its answer wakes the caller
    wait.at = std::min(*wait.at, *probe_at);
  }
  return wait;
}

Producer::Producer(const ProducerOptions& options, Log log, const Clock& clock)
    : impl_(std::make_unique<Impl>(options, std::move(log), clock)) {}

Producer::~Producer() = default;

bool Producer::try_send(const Record& record, Ticket ticket) {
  return impl_->try_send(record, ticket);
}

void Producer::drain_reports(std::vector<DeliveryReport>& reports) {
  impl_->drain_reports(reports);
}

void Producer::restart() { impl_->restart(); }

bool Producer::is_reachable() const { return impl_->is_reachable(); }

WaitFor Producer::wait_for() const { return impl_->wait_for(); }

}  // namespace walpost
