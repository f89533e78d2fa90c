#include "producer_fixture.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>

#include "rdkafka_handles.h"

namespace walpost {
namespace {

// Partition eof is how the consumer knows that it has seen all there is.
RdKafkaClient make_consumer(const std::string& bootstrap) {
  RdKafkaConf conf(rd_kafka_conf_new());
  std::array<char, 512> text{};
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"bootstrap.servers", bootstrap},
                                          {"group.id", "test"},
                                          {"auto.offset.reset", "earliest"},
                                          {"enable.partition.eof", "true"}}) {
    EXPECT_EQ(rd_kafka_conf_set(conf.get(), name.c_str(), value.c_str(), text.data(), text.size()),
              RD_KAFKA_CONF_OK)
        << text.data();
  }
  RdKafkaClient client(rd_kafka_new(RD_KAFKA_CONSUMER, conf.release(), text.data(), text.size()));
  EXPECT_NE(client, nullptr) << text.data();
  rd_kafka_poll_set_consumer(client.get());
  return client;
}

std::optional<std::string> text_of(const void* bytes, std::size_t size) {
  return bytes == nullptr ? std::nullopt
                          : std::optional(std::string(static_cast<const char*>(bytes), size));
}

Consumed read(const rd_kafka_message_t& message) {
  Consumed record{.partition = message.partition,
                  .key = text_of(message.key, message.key_len),
                  .value = text_of(message.payload, message.len),
                  .headers = {},
                  .timestamp_ms = rd_kafka_message_timestamp(&message, nullptr)};
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(&message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR) {
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0;
         rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++i) {
      record.headers.emplace_back(name, text_of(value, size));
    }
  }
  return record;
}

struct MessageDeleter {
  void operator()(rd_kafka_message_t* message) const { rd_kafka_message_destroy(message); }
};
struct ListDeleter {
  void operator()(rd_kafka_topic_partition_list_t* list) const {
    rd_kafka_topic_partition_list_destroy(list);
  }
};

}  // namespace

void ProducerTest::start(Properties properties) { start(ProducerOptions{}, std::move(properties)); }

void ProducerTest::start(ProducerOptions options, Properties properties) {
  options.kafka.brokers = broker_.bootstrap_servers();
  options.kafka.properties = std::move(properties);
  producer_ = std::make_unique<Producer>(
      std::move(options),
      [this](LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
        std::string line = fmt::format("{} {}", static_cast<int>(level), message);
        for (const LogField& field : fields) {
          line += fmt::format(" {}={}", field.key, field.value);
        }
        log_lines_.push_back(std::move(line));
      },
      clock_);
}

std::optional<Error> ProducerTest::pump(const std::function<bool()>& is_done) {
  const TimePoint deadline = clock_.now() + kPatience;
  try {
    while (!is_done()) {
      producer_->drain_reports(reports_);
      if (is_done()) {
        return std::nullopt;
      }
      if (clock_.now() >= deadline) {
        ADD_FAILURE() << "nothing came within the test's patience; log:\n"
                      << fmt::format("{}", fmt::join(log_lines_, "\n"));
        return std::nullopt;
      }
      const WaitFor wait = producer_->wait_for();
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          std::min(deadline, wait.at.value_or(deadline)) - clock_.now());
      pollfd wanted{.fd = wait.fd, .events = POLLIN, .revents = 0};
      poll(&wanted, 1, static_cast<int>(std::max<std::int64_t>(left.count() + 1, 0)));
    }
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

std::optional<Error> ProducerTest::send(const std::string& topic, const std::string& value,
                                        std::optional<std::string> key) {
  const std::string id = "id-" + value.substr(0, 20);
  const std::array<Header, 1> headers{Header{"id", id}};
  Record record{.topic = topic,
                .partition = std::nullopt,
                .key = std::nullopt,
                .value = value,
                .headers = headers,
                .timestamp_ms = 1'700'000'000'000,
                .event_id = id};
  if (key) {
    record.key = *key;
  }
  return send(record);
}

std::optional<Error> ProducerTest::send(const Record& record) {
  bool is_taken = false;
  return pump([&] {
    is_taken = is_taken || producer_->try_send(record, Ticket{last_ticket_ + 1});
    if (is_taken) {
      ++last_ticket_;
    }
    return is_taken;
  });
}

std::optional<Error> ProducerTest::wait_for_reports() {
  return pump([&] { return reports_.size() >= last_ticket_; });
}

bool ProducerTest::has_logged(const std::string& part) const {
  return std::any_of(log_lines_.begin(), log_lines_.end(), [&part](const std::string& line) {
    return line.find(part) != std::string::npos;
  });
}

std::vector<Consumed> ProducerTest::consume(const std::string& topic, std::size_t count,
                                            int partitions) {
  const RdKafkaClient consumer = make_consumer(broker_.bootstrap_servers());
  const std::unique_ptr<rd_kafka_topic_partition_list_t, ListDeleter> list(
      rd_kafka_topic_partition_list_new(partitions));
  for (int i = 0; i < partitions; ++i) {
    rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), i)->offset = 0;
  }
  EXPECT_EQ(rd_kafka_assign(consumer.get(), list.get()), RD_KAFKA_RESP_ERR_NO_ERROR);
  std::vector<Consumed> records;
  int ended_count = 0;
  const TimePoint deadline = clock_.now() + kPatience;
  while (clock_.now() < deadline && (ended_count < partitions || records.size() < count)) {
    const std::unique_ptr<rd_kafka_message_t, MessageDeleter> message(
        rd_kafka_consumer_poll(consumer.get(), 100));
    if (message == nullptr) {
      continue;
    }
    if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      ++ended_count;
    } else if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      records.push_back(read(*message));
    }
  }
  EXPECT_GE(records.size(), count);
  return records;
}

std::vector<std::string> ProducerTest::values(const std::string& topic, std::size_t count) {
  std::vector<std::string> all;
  for (const Consumed& record : consume(topic, count)) {
    all.push_back(record.value.value_or("(null)"));
  }
  return all;
}

}  // namespace walpost
