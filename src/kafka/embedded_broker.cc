#include "embedded_broker.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>

#include "walpost/error.h"

namespace walpost {
namespace {

// The mock cluster lives inside a client of its own, which never connects anywhere.
RdKafkaClient make_host_client() {
  RdKafkaConf conf(rd_kafka_conf_new());
  std::array<char, 512> text{};
  // Otherwise it warns of having no brokers.
  if (rd_kafka_conf_set(conf.get(), "log_level", "3", text.data(), text.size()) !=
      RD_KAFKA_CONF_OK) {
    throw Error(ExitCode::kUnexpected, text.data());
  }
  RdKafkaClient client(rd_kafka_new(RD_KAFKA_PRODUCER, conf.get(), text.data(), text.size()));
  if (client == nullptr) {
    throw Error(ExitCode::kUnexpected, fmt::format("embedded broker: {}", text.data()));
  }
  static_cast<void>(conf.release());  // rd_kafka_new() owns it once it succeeded
  return client;
}

}  // namespace

EmbeddedBroker::EmbeddedBroker(const EmbeddedBrokerOptions& options)
    : client_(make_host_client()),
      cluster_(rd_kafka_mock_cluster_new(client_.get(), options.broker_count)) {
  if (cluster_ == nullptr) {
    throw Error(ExitCode::kUnexpected, "embedded broker: cannot listen on 127.0.0.1");
  }
}

std::string EmbeddedBroker::bootstrap_servers() const {
  return rd_kafka_mock_cluster_bootstraps(cluster_.get());
}

void EmbeddedBroker::create_topic(const std::string& name, int partition_count) {
  const rd_kafka_resp_err_t error =
      rd_kafka_mock_topic_create(cluster_.get(), name.c_str(), partition_count, 1);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    throw Error(ExitCode::kUsage,
                fmt::format("embedded broker: topic {}: {}", name, rd_kafka_err2str(error)));
  }
}

}  // namespace walpost
