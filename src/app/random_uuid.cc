#include "random_uuid.h"

#include <fmt/format.h>

#include <cstdint>
#include <random>

namespace walpost {

std::string random_uuid() {
  std::random_device device;
  const auto word = [&] { return static_cast<std::uint32_t>(device()); };
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:04x}{:08x}", word(), word() & 0xFFFF,
                     word() & 0xFFF, (word() & 0x3FFF) | 0x8000, word() & 0xFFFF, word());
}

}  // namespace walpost
