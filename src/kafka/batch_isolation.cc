#include "batch_isolation.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "kafka_error.h"
#include "walpost/error.h"

namespace walpost {
namespace {

void set(const RdKafkaConf& conf, const char* name, const std::string& value) {
  std::array<char, 512> text{};
  if (rd_kafka_conf_set(conf.get(), name, value.c_str(), text.data(), text.size()) !=
      RD_KAFKA_CONF_OK) {
    throw Error(ExitCode::kUnexpected, fmt::format("{}={}: {}", name, value, text.data()));
  }
}

}  // namespace

void BatchIsolation::begin(const FailedBatch& batch) {
  is_asked_ = true;
  last_event_id_ = batch.last_event_id;
  error_ = batch.error;
  refused_bytes_ = batch.total_bytes;
}

void BatchIsolation::note_delivered(std::string_view event_id) {
  // Without an id there is no telling, and records go one by one until the next client.
  is_over_ = is_over_ || (!event_id.empty() && event_id == last_event_id_);
}

RdKafkaConf BatchIsolation::next_conf(const RdKafkaConf& base) {
  const bool is_size = error_ == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE ||
                       error_ == RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE;
  if (is_over_ && !is_asked_ && is_size) {
    shrink_batches();
  }
  is_active_ = std::exchange(is_asked_, false);
  is_over_ = false;
  RdKafkaConf conf(rd_kafka_conf_dup(base.get()));
  if (batch_bytes_) {
    set(conf, "batch.size", std::to_string(*batch_bytes_));
  }
  if (is_active_) {
    set(conf, "batch.num.messages", "1");
  }
  return conf;
}

// Each passed by itself, so that only together they were too large.
void BatchIsolation::shrink_batches() {
  batch_bytes_ = std::max<std::uint64_t>(refused_bytes_ / 2, 1);
  log_(LogLevel::kWarn, "batches are larger than a topic takes, smaller ones from now on",
       {{"batch.size", std::to_string(*batch_bytes_)}, {"error", kafka_error_text(error_)}});
}

}  // namespace walpost
