#pragma once

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "kafka_client.h"

namespace walpost {

// Ends clients away from the loop's thread: librdkafka joins its own threads then, and a question
// to a broker that is silent must run out first.
class ClientGrave final {
 public:
  // So that a storm of restarts cannot pile up clients, each with a thread per broker.
  static constexpr std::size_t kMostBurials = 4;
  // How long the grave's own end waits for the clients in it, which is the end of the process.
  static constexpr std::chrono::milliseconds kLongestEnd{1'000};

  ClientGrave() = default;
  // A client that needs longer than kLongestEnd is left to its thread, which owns all it uses.
  ~ClientGrave();
  ClientGrave(const ClientGrave&) = delete;
  ClientGrave& operator=(const ClientGrave&) = delete;

  // While true nothing should be added but the last client of all.
  [[nodiscard]] bool is_full();
  // Does not wait. The client's topic handles must be gone.
  void bury(std::unique_ptr<KafkaClient> client);

 private:
  struct Burial {
    std::future<void> end;
    std::thread thread;
  };

  std::vector<Burial> burials_;
};

}  // namespace walpost
