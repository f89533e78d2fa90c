#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "walpost/byte_reader.h"
#include "walpost/error.h"
#include "walpost/event_decoder.h"

namespace {

using walpost::EventDecoder;

// Touches every byte of a record.
std::size_t weight_of(const walpost::Record& record) {
  std::size_t weight = record.topic.size() + record.event_id.size();
  const auto add = [&](std::optional<std::string_view> text) {
    for (const char c : text.value_or("")) weight += static_cast<unsigned char>(c);
  };
  add(record.topic);
  add(record.key);
  add(record.value);
  for (const auto& header : record.headers) add(header.value);
  return weight + static_cast<std::size_t>(record.timestamp_ms);
}

// A stream of pgoutput messages, each after its length in 16 bits, as far as it goes.
void feed(EventDecoder& decoder, std::span<const std::byte> stream) {
  walpost::ByteReader reader(stream, "fuzz");
  while (reader.remaining() > 0) {
    const auto message = reader.bytes(reader.u16("length"), "message");
    const walpost::XLogData data{.data_start = walpost::Lsn(1), .data = message};
    auto decoded = decoder.decode(data, walpost::PgTimestamp());
    if (const auto* wanting = std::get_if<EventDecoder::NeedsRelationFacts>(&decoded)) {
      decoder.learn(wanting->relid, {});
      decoded = decoder.decode(data, walpost::PgTimestamp());
    }
    if (const auto* record = std::get_if<walpost::Record>(&decoded)) (void)weight_of(*record);
  }
}

}  // namespace

// One connection's messages through relation cache, mapper and router: as most people have it, and
// with everything that can be asked for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using walpost::FieldFormat;
  using walpost::Placement;
  static walpost::Stats stats;
  const walpost::RouterOptions plain = {.route_topic_regex = "(?i)(?<a>[a-k]*)(l.*)?",
                                        .route_topic_replacement = "t.${a}-$2"};
  const walpost::RouterOptions full = {.key_format = FieldFormat::kJson,
                                       .value_format = FieldFormat::kJsonSchema,
                                       .header_format = FieldFormat::kSimple,
                                       .tombstone_on_empty_payload = true,
                                       .expansion = walpost::JsonExpansion{},
                                       .topic_prefix = "p",
                                       .extended_headers_run_id = "run",
                                       .position_headers = true};
  const walpost::OutboxColumns additional = {.event_timestamp = "at",
                                             .event_schema_version = "v",
                                             .additional = {{"v", Placement::kPartition, "v"},
                                                            {"x", Placement::kHeader, "x"},
                                                            {"x", Placement::kEnvelope, "y"}},
                                             .ignore_missing_additional = true,
                                             .headers_from = "payload"};
  for (const auto& [router, columns] :
       {std::pair(plain, walpost::OutboxColumns{.event_timestamp = "at"}),
        std::pair(plain, walpost::OutboxColumns{}), std::pair(full, walpost::OutboxColumns{}),
        std::pair(full, additional)}) {
    EventDecoder decoder({.outbox_tables = {{"public", "outbox"}}}, walpost::OutboxMapper(columns),
                         walpost::Router(router, columns), stats,
                         [](walpost::LogLevel, std::string_view, auto) {});
    try {
      feed(decoder, std::as_bytes(std::span(data, size)));
    } catch (const walpost::Error& error) {
      if (error.exit_code() != walpost::ExitCode::kUndecodable || error.is_retryable()) {
        __builtin_trap();
      }
    }
  }
  return 0;
}
