#include "walpost/backoff.h"

#include <algorithm>

namespace walpost {

std::chrono::milliseconds Backoff::next() {
  std::uniform_int_distribution<std::chrono::milliseconds::rep> draw(limit_.count() / 2,
                                                                     limit_.count());
  limit_ = std::min(limit_ * 2, kCap);
  return std::chrono::milliseconds(draw(random_));
}

}  // namespace walpost
