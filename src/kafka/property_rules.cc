#include "property_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace walpost {
namespace {

constexpr auto kOwnProperties = std::to_array<OwnProperty>({
    {"client.id", "walpost"},
    // What the guarantee rests on; kProtected says why.
    {"enable.idempotence", "true"},
    {"enable.gapless.guarantee", "true"},
    {"acks", "all"},
    {"message.timeout.ms", "0"},
    {"partitioner", "murmur2_random"},
    // The caps on what is in flight (--max-in-flight-records, --max-in-flight-bytes) decide, never
    // librdkafka's own queue: these are its largest values.
    {"queue.buffering.max.messages", "2147483647"},
    {"queue.buffering.max.kbytes", "2147483647"},
    // Measured: a millisecond halves the CPU of 0 and costs a lone event that millisecond.
    {"linger.ms", "1"},
    // A broker that comes back is noticed within this; librdkafka's 10 s would be outage for
    // nothing.
    {"reconnect.backoff.max.ms", "1000"},
    // Log lines and errors come as events on our own thread.
    {"log.queue", "true"},
    // A broker closes idle connections; that is no news.
    {"log.connection.close", "false"},
});

// A property with the only values that are accepted ("" ends the list), and why.
struct Protected {
  std::string_view name;
  std::array<std::string_view, 2> accepted;
  std::string_view why;
};

constexpr std::string_view kOnlyIdempotent =
    "walpost needs an idempotent producer: without it a retry can re-order or repeat records";
constexpr std::string_view kOnlyAcksAll =
    "walpost needs acks=all: a record acknowledged by fewer replicas can be lost after its "
    "position is confirmed";
constexpr std::string_view kNoTimeout =
    "walpost needs message.timeout.ms=0: a record that times out leaves a hole that later records "
    "pass; waiting is safe, the slot keeps what is not delivered";
constexpr std::string_view kNoTransactions =
    "walpost does not use Kafka transactions; a record is confirmed by its own acknowledgement";
constexpr std::string_view kNeedsAllReports =
    "walpost needs the report of every delivery: positions are confirmed from them";
constexpr std::string_view kMockKeepsNothing =
    "the mock cluster acknowledges records without keeping them, and their position would be "
    "confirmed";

constexpr auto kProtected = std::to_array<Protected>({
    {"enable.idempotence", {"true", "1"}, kOnlyIdempotent},
    {"enable.gapless.guarantee",
     {"true", "1"},
     "walpost needs the gapless guarantee: without it a refused record lets later ones of its "
     "partition pass"},
    {"acks", {"all", "-1"}, kOnlyAcksAll},
    {"request.required.acks", {"all", "-1"}, kOnlyAcksAll},
    {"message.timeout.ms", {"0", ""}, kNoTimeout},
    {"delivery.timeout.ms", {"0", ""}, kNoTimeout},
    {"partitioner",
     {"murmur2_random", ""},
     "walpost partitions as Java's producer does (murmur2_random), so that a key stays on its "
     "partition whoever produces it"},
    {"transactional.id", {}, kNoTransactions},
    {"transaction.timeout.ms", {}, kNoTransactions},
    {"delivery.report.only.error", {"false", "0"}, kNeedsAllReports},
    {"queuing.strategy",
     {"fifo", ""},
     "walpost needs queuing.strategy=fifo: lifo re-orders records"},
    {"allow.auto.create.topics", {}, "--topic-creation decides this"},
    {"sticky.partitioning.linger.ms",
     {},
     "walpost chooses the partition itself, at random for a record without a key"},
    {"log.queue", {"true", "1"}, "walpost takes librdkafka's log from its queue"},
    {"test.mock.num.brokers", {"0", ""}, kMockKeepsNothing},
});

// Pointers in librdkafka's table: no text can be one.
constexpr auto kPointers = std::to_array<std::string_view>(
    {"opaque", "default_topic_conf", "interceptors", "msg_order_cmp", "ssl_key", "ssl_certificate",
     "ssl_ca", "ssl_engine_callback_data"});

std::optional<std::int64_t> number(std::string_view text) noexcept {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;  // librdkafka says what is wrong with it
  }
  return value;
}

}  // namespace

std::span<const OwnProperty> own_properties() noexcept { return kOwnProperties; }

std::optional<std::string_view> refusal(std::string_view name, std::string_view value) noexcept {
  for (const Protected& rule : kProtected) {
    if (rule.name == name) {
      const bool is_ours = !value.empty() && std::find(rule.accepted.begin(), rule.accepted.end(),
                                                       value) != rule.accepted.end();
      return is_ours ? std::nullopt : std::optional(rule.why);
    }
  }
  if (name == "retries" || name == "message.send.max.retries") {
    if (number(value) == 0) {
      return "walpost needs retries: without one, a passing error refuses a record for good";
    }
  }
  if (name == "max.in.flight" || name == "max.in.flight.requests.per.connection") {
    if (number(value).value_or(0) > 5) {
      return "an idempotent producer keeps at most 5 requests in flight: beyond it a retry can "
             "re-order records";
    }
  }
  const bool is_pointer = name.ends_with("_cb") ||
                          std::find(kPointers.begin(), kPointers.end(), name) != kPointers.end();
  if (is_pointer) {
    return "is set by a program's code, not by text";
  }
  return std::nullopt;
}

std::optional<std::string_view> warning(std::string_view name, std::string_view value) noexcept {
  if (name == "enable.ssl.certificate.verification" && (value == "false" || value == "0")) {
    return "the broker's certificate is not verified: whoever answers at its address reads the "
           "records and the password";
  }
  if (name == "ssl.endpoint.identification.algorithm" && value == "none") {
    return "the name in the broker's certificate is not verified: any certificate of the same "
           "authority is taken for the broker's";
  }
  return std::nullopt;
}

}  // namespace walpost
