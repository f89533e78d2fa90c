#pragma once

#include <cstdint>
#include <string_view>

namespace walpost::test {

// The partition that Java's producer chooses for the bytes of a key: murmur2 of them, without its
// sign. Written from the algorithm's description, so that it shares nothing with librdkafka;
// partitioner_test.cc holds it, and walpost, against Kafka's own class.
[[nodiscard]] inline std::int32_t java_partition(std::string_view key, std::int32_t partitions) {
  constexpr std::uint32_t kMultiplier = 0x5bd1e995;
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(key[i]));
  };
  std::uint32_t hash = 0x9747b28cU ^ static_cast<std::uint32_t>(key.size());
  std::size_t i = 0;
  for (; i + 4 <= key.size(); i += 4) {
    std::uint32_t word = byte(i) | byte(i + 1) << 8U | byte(i + 2) << 16U | byte(i + 3) << 24U;
    word *= kMultiplier;
    word ^= word >> 24U;
    hash = hash * kMultiplier ^ word * kMultiplier;
  }
  const std::size_t rest = key.size() - i;
  for (std::size_t k = rest; k > 0; --k) hash ^= byte(i + k - 1) << (8U * (k - 1));
  if (rest > 0) hash *= kMultiplier;
  hash ^= hash >> 13U;
  hash *= kMultiplier;
  hash ^= hash >> 15U;
  return static_cast<std::int32_t>(hash & 0x7fffffffU) % partitions;
}

}  // namespace walpost::test
