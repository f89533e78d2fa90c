#include "client_grave.h"

#include <system_error>
#include <utility>

namespace walpost {

ClientGrave::~ClientGrave() {
  const auto deadline = std::chrono::steady_clock::now() + kLongestEnd;
  for (Burial& burial : burials_) {
    if (burial.end.wait_until(deadline) == std::future_status::ready) {
      burial.thread.join();
    } else {
      burial.thread.detach();
    }
  }
}

bool ClientGrave::is_full() {
  std::erase_if(burials_, [](Burial& burial) {
    const bool is_over = burial.end.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    if (is_over) {
      burial.thread.join();
    }
    return is_over;
  });
  return burials_.size() >= kMostBurials;
}

void ClientGrave::bury(std::unique_ptr<KafkaClient> client) {
  std::promise<void> end;
  burials_.reserve(burials_.size() + 1);  // what throws comes before the thread, which must be kept
  std::future<void> ended = end.get_future();
  try {
    std::thread thread([dead = std::move(client), end = std::move(end)]() mutable {
      dead.reset();
      end.set_value();
    });
    burials_.push_back({.end = std::move(ended), .thread = std::move(thread)});
  } catch (const std::system_error&) {
    // No thread is to be had: the client has ended here then, and the loop has waited for it.
  }
}

}  // namespace walpost
