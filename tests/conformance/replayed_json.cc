#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "base64.h"
#include "java_partition.h"
#include "replay.h"
#include "utf8.h"

namespace walpost::test {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void write(Writer& writer, const std::string& text) {
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void write(Writer& writer, const std::optional<std::string>& bytes) {
  if (!bytes) {
    writer.Null();
  } else if (is_valid_utf8(*bytes)) {
    write(writer, *bytes);
  } else {
    writer.StartObject();
    writer.Key("base64");
    write(writer, base64(*bytes));
    writer.EndObject();
  }
}

void write(Writer& writer, const KafkaRecord& record, const Replayed& replayed) {
  writer.StartObject();
  writer.Key("topic");
  write(writer, record.topic);
  writer.Key("partition");
  if (!record.key || record.partition == java_partition(*record.key, kPartitions)) {
    writer.Null();
  } else {
    writer.Int(record.partition);
  }
  writer.Key("key");
  write(writer, record.key);
  writer.Key("value");
  write(writer, record.value);
  writer.Key("headers");
  writer.StartArray();
  for (const KafkaHeader& header : record.headers) {
    writer.StartArray();
    write(writer, header.name);
    write(writer, header.value);
    writer.EndArray();
  }
  writer.EndArray();
  writer.Key("timestamp");
  const std::int64_t time = record.timestamp.time_since_epoch().count();
  if (replayed.begun_ms <= time && time <= replayed.ended_ms) {
    writer.String("processing");
  } else {
    writer.Int64(time);
  }
  writer.EndObject();
}

}  // namespace

std::string as_json(const Replayed& replayed) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  writer.StartObject();
  writer.Key("outcome");
  writer.String(outcome_of(replayed.exit_code).c_str());
  writer.Key("records");
  writer.StartArray();
  for (const KafkaRecord& record : replayed.records) write(writer, record, replayed);
  writer.EndArray();
  writer.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace walpost::test
