#include "kafka_client.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <array>
#include <cstdint>
#include <utility>

#include "walpost/error.h"

namespace walpost {
namespace {

RdKafkaClient make_client(const RdKafkaConf& settings) {
  RdKafkaConf conf(rd_kafka_conf_dup(settings.get()));
  rd_kafka_conf_set_events(conf.get(), RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR |
                                           RD_KAFKA_EVENT_LOG | RD_KAFKA_EVENT_CREATETOPICS_RESULT);
  // OAuth tokens are fetched over HTTP, which would stop the loop: librdkafka's thread does it.
  rd_kafka_conf_enable_sasl_queue(conf.get(), 1);
  std::array<char, 512> text{};
  RdKafkaClient client(rd_kafka_new(RD_KAFKA_PRODUCER, conf.get(), text.data(), text.size()));
  if (client == nullptr) {
    throw Error(ExitCode::kUsage, fmt::format("--kafka-property: {}", text.data()));
  }
  static_cast<void>(conf.release());  // rd_kafka_new() owns it once it succeeded
  return client;
}

}  // namespace

KafkaClient::KafkaClient(const RdKafkaConf& conf)
    : client_(make_client(conf)), queue_(rd_kafka_queue_get_main(client_.get())) {
  if (rd_kafka_error_t* error = rd_kafka_sasl_background_callbacks_enable(client_.get())) {
    // There is no SASL to serve then.
    rd_kafka_error_destroy(error);
  }
  if (rd_kafka_set_log_queue(client_.get(), queue_.get()) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    throw Error(ExitCode::kUnexpected, "librdkafka does not give its log to a queue");
  }
  const std::uint64_t one = 1;  // what an eventfd takes; librdkafka copies it
  rd_kafka_queue_io_event_enable(queue_.get(), wake_.fd(), &one, sizeof one);
  probe_ = std::make_unique<MetadataProbe>(client_.get(), wake_);
}

KafkaClient::~KafkaClient() {
  // Without it librdkafka would go on sending until it is gone.
  rd_kafka_purge(client_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT |
                                    RD_KAFKA_PURGE_F_NON_BLOCKING);
  probe_.reset();
  rd_kafka_queue_io_event_enable(queue_.get(), -1, nullptr, 0);
}

RdKafkaEvent KafkaClient::poll() const noexcept {
  return RdKafkaEvent(rd_kafka_queue_poll(queue_.get(), 0));
}

}  // namespace walpost
