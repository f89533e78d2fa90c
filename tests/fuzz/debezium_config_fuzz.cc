#include <cstddef>
#include <cstdint>
#include <string_view>

#include "debezium_config.h"
#include "debezium_file.h"
#include "debezium_report.h"
#include "walpost/error.h"

// A connector's configuration, JSON or properties: it is refused as a whole, or every entry has its
// verdict and every option takes what it becomes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  walpost::DebeziumSettings settings;
  try {
    settings = walpost::parse_debezium_file(text, "fuzz");
  } catch (const walpost::Error& error) {
    if (error.exit_code() != walpost::ExitCode::kUsage) __builtin_trap();
    return 0;
  }
  const walpost::DebeziumConfig config = walpost::translate_debezium(settings);
  walpost::Options options;
  for (const auto& applied : config.applied) applied.row->set(options, applied.texts);
  if (config.entries.size() < settings.size()) __builtin_trap();
  if (walpost::debezium_text(config.entries).empty()) __builtin_trap();
  return 0;
}
