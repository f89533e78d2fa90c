#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "java_partition.h"
#include "replay.h"

namespace walpost::test {
namespace {

using Bytes = std::optional<std::string>;

std::string shown(const Bytes& bytes) { return bytes ? "`" + *bytes + "`" : "null"; }

std::string shown(const ExpectedBytes& bytes) {
  return bytes.kind == ExpectedBytes::Kind::kNull ? "null" : "`" + bytes.text + "`";
}

template <typename Record>
std::string headers_shown(const Record& record) {
  std::string text;
  for (const auto& header : record.headers) {
    text += (text.empty() ? "" : ", ") + header.name + "=" + shown(header.value);
  }
  return text;
}

std::string shown(const ExpectedRecord& record) {
  const auto number = [](const auto& value, const char* without) {
    return value ? std::to_string(*value) : without;
  };
  return fmt::format("topic {} partition {} time {} key {} headers {} value {}", record.topic,
                     number(record.partition, "by key"), number(record.timestamp_ms, "now"),
                     shown(record.key), headers_shown(record), shown(record.value));
}

std::string shown(const KafkaRecord& record) {
  return fmt::format("topic {} partition {} time {} key {} headers {} value {}", record.topic,
                     record.partition, record.timestamp.time_since_epoch().count(),
                     shown(record.key), headers_shown(record), shown(record.value));
}

bool partition_fits(const ExpectedRecord& expected, const KafkaRecord& record) {
  if (expected.partition) return record.partition == *expected.partition;
  return !record.key || record.partition == java_partition(*record.key, kPartitions);
}

bool fits(const ExpectedRecord& expected, const KafkaRecord& record, const Replayed& replayed) {
  const std::int64_t time = record.timestamp.time_since_epoch().count();
  const bool time_fits = expected.timestamp_ms
                             ? time == *expected.timestamp_ms
                             : replayed.begun_ms <= time && time <= replayed.ended_ms;
  const bool headers_fit = std::ranges::equal(
      expected.headers, record.headers, [](const ExpectedHeader& wanted, const KafkaHeader& is) {
        return wanted.name == is.name && wanted.value.fits(is.value);
      });
  return expected.topic == record.topic && time_fits && headers_fit &&
         partition_fits(expected, record) && expected.key.fits(record.key) &&
         expected.value.fits(record.value);
}

// Each expected record takes the first one that fits and is not taken; then those of one partition
// must have been taken in their order. Across partitions Kafka has none.
//
// A list that was adopted from walpost is in order within each partition only, and a record without
// a key is in another partition each time: its place among the others is not known.
std::string records_deviation(const std::vector<ExpectedRecord>& expected, const Replayed& replayed,
                              bool is_adopted = false) {
  std::string text;
  std::vector<bool> taken(replayed.records.size(), false);
  std::map<std::pair<std::string, std::int32_t>, std::int64_t> last;
  for (const ExpectedRecord& wanted : expected) {
    std::size_t i = 0;
    while (i < taken.size() && (taken[i] || !fits(wanted, replayed.records[i], replayed))) ++i;
    if (i == taken.size()) {
      text += "missing: " + shown(wanted) + "\n";
      continue;
    }
    taken[i] = true;
    const KafkaRecord& record = replayed.records[i];
    if (is_adopted && !record.key) continue;
    auto [before, is_first] = last.try_emplace({record.topic, record.partition}, -1);
    if (record.offset < before->second) text += "out of order: " + shown(record) + "\n";
    before->second = record.offset;
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i]) text += "beyond that: " + shown(replayed.records[i]) + "\n";
  }
  return text;
}

std::vector<ExpectedRecord> delivered(const Expectation& expectation) {
  std::vector<ExpectedRecord> result = expectation.records;
  std::erase_if(result, [](const ExpectedRecord& record) { return record.refused; });
  return result;
}

std::string outcome_deviation(bool good, const Replayed& replayed) {
  if (good) return "";
  return fmt::format("exit code {}\n{}", replayed.exit_code, replayed.log);
}

}  // namespace

std::string outcome_of(int exit_code) {
  switch (exit_code) {
    case 0:
      return "records";
    case 2:  // bad flags
    case 4:  // a table that is not as the flags say
      return "refused at start";
    case 5:  // a row that does not fit
    case 6:  // a record that Kafka does not take
      return "stopped";
    default:
      return "exit code " + std::to_string(exit_code);
  }
}

std::string deviation(const Vector& vector, const Replayed& replayed) {
  const std::string outcome = outcome_of(replayed.exit_code);
  if (vector.walpost) {
    return outcome_deviation(outcome == vector.walpost->outcome, replayed) +
           records_deviation(vector.walpost->records, replayed, true);
  }
  if (vector.debezium.outcome == "records") {
    const std::string text = outcome_deviation(outcome == "records", replayed);
    return vector.unstable ? text : text + records_deviation(vector.debezium.records, replayed);
  }
  // What Debezium finds out at some row, walpost may refuse before the first.
  const bool refused = outcome == "refused at start" || outcome == "stopped";
  const std::string text = outcome_deviation(refused, replayed);
  if (replayed.records.empty()) return text;
  return text + records_deviation(delivered(vector.debezium), replayed);
}

}  // namespace walpost::test
