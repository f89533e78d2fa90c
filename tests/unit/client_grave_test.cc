#include "client_grave.h"

#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <poll.h>

#include <chrono>
#include <memory>
#include <vector>

#include "embedded_broker.h"
#include "kafka_properties.h"

namespace walpost {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

class ClientGraveTest : public testing::Test {
 protected:
  std::unique_ptr<KafkaClient> make_client() {
    const ProducerConf conf = make_producer_conf(
        {.brokers = broker_.bootstrap_servers(), .properties = {}, .config_file = {}},
        TopicCreation::kNever);
    return std::make_unique<KafkaClient>(conf.conf);
  }

  // The outcome of one question.
  static int answer(const KafkaClient& client) {
    const auto deadline = steady_clock::now() + seconds(20);
    while (steady_clock::now() < deadline) {
      client.wake().clear();
      if (const auto result = client.probe().take_result()) {
        return result->error;
      }
      pollfd wanted{.fd = client.wake().fd(), .events = POLLIN, .revents = 0};
      poll(&wanted, 1, 100);
    }
    ADD_FAILURE() << "the probe did not answer";
    return 0;
  }

  EmbeddedBroker broker_{{}};
};

TEST_F(ClientGraveTest, SilentBrokerHoldsUpNeitherBurialsNorTheEnd) {
  std::vector<std::unique_ptr<KafkaClient>> clients;
  for (std::size_t i = 0; i < ClientGrave::kMostBurials; ++i) {
    clients.push_back(make_client());
    clients.back()->probe().ask();
    ASSERT_EQ(answer(*clients.back()), RD_KAFKA_RESP_ERR_NO_ERROR);
  }
  rd_kafka_mock_broker_set_rtt(broker_.handle(), 1, 60'000);
  for (int round = 0; round < 2; ++round) {  // 1 s, 2 s; the next question may take 4 s
    for (const auto& client : clients) {
      client->probe().ask();
    }
    for (const auto& client : clients) {
      ASSERT_EQ(answer(*client), RD_KAFKA_RESP_ERR__TIMED_OUT);
    }
  }
  for (const auto& client : clients) {
    client->probe().ask();
  }
  for (const auto& client : clients) {
    ASSERT_TRUE(client->probe().is_busy());
  }
  const auto begin = steady_clock::now();
  {
    ClientGrave grave;
    for (auto& client : clients) {
      EXPECT_FALSE(grave.is_full());
      grave.bury(std::move(client));
    }
    // Not one of the questions, which take 4 s each, was waited for.
    EXPECT_LT(steady_clock::now() - begin, seconds(4));
  }
  EXPECT_LT(steady_clock::now() - begin, seconds(20));
}

TEST_F(ClientGraveTest, HasRoomAgainOnceItsClientsHaveEnded) {
  ClientGrave grave;
  for (std::size_t i = 0; i < 2 * ClientGrave::kMostBurials; ++i) {
    const auto deadline = steady_clock::now() + seconds(20);
    while (grave.is_full() && steady_clock::now() < deadline) {
      poll(nullptr, 0, 10);
    }
    ASSERT_FALSE(grave.is_full());
    grave.bury(make_client());
  }
}

}  // namespace
}  // namespace walpost
