#include "rdkafka_handles.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

namespace walpost {

void RdKafkaDeleter::operator()(rd_kafka_s* client) const noexcept { rd_kafka_destroy(client); }
void RdKafkaDeleter::operator()(rd_kafka_conf_s* conf) const noexcept {
  rd_kafka_conf_destroy(conf);
}
void RdKafkaDeleter::operator()(rd_kafka_topic_s* topic) const noexcept {
  rd_kafka_topic_destroy(topic);
}
void RdKafkaDeleter::operator()(rd_kafka_topic_conf_s* conf) const noexcept {
  rd_kafka_topic_conf_destroy(conf);
}
void RdKafkaDeleter::operator()(rd_kafka_queue_s* queue) const noexcept {
  rd_kafka_queue_destroy(queue);
}
void RdKafkaDeleter::operator()(rd_kafka_op_s* event) const noexcept {
  rd_kafka_event_destroy(event);
}
void RdKafkaDeleter::operator()(rd_kafka_mock_cluster_s* cluster) const noexcept {
  rd_kafka_mock_cluster_destroy(cluster);
}

}  // namespace walpost
