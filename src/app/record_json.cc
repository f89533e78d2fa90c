#include "record_json.h"

#include <rapidjson/writer.h>

#include <optional>

#include "base64.h"
#include "utf8.h"

namespace walpost {
namespace {

// What rapidjson::Writer writes to: the end of a string, without a copy in between.
class StringEnd final {
 public:
  using Ch = char;
  explicit StringEnd(std::string& text) : text_(text) {}
  void Put(char c) { text_.push_back(c); }
  void Flush() {}

 private:
  std::string& text_;
};

using Writer = rapidjson::Writer<StringEnd>;

rapidjson::SizeType json_size(std::string_view text) {
  return static_cast<rapidjson::SizeType>(text.size());  // PostgreSQL's values end at 1 GB
}

void write_text(Writer& writer, std::string_view text) {
  if (is_valid_utf8(text)) {
    // RapidJSON wants a pointer even for no characters.
    writer.String(text.empty() ? "" : text.data(), json_size(text));
    return;
  }
  const std::string encoded = base64(text);
  writer.StartObject();
  writer.Key("base64");
  writer.String(encoded.data(), json_size(encoded));
  writer.EndObject();
}

void write_text(Writer& writer, const std::optional<std::string_view>& text) {
  if (text) {
    write_text(writer, *text);
  } else {
    writer.Null();
  }
}

}  // namespace

void append_json_line(const Record& record, std::string& line) {
  StringEnd end(line);
  Writer writer(end);
  writer.StartObject();
  writer.Key("topic");
  write_text(writer, record.topic);
  if (record.partition) {
    writer.Key("partition");
    writer.Int(*record.partition);
  }
  writer.Key("key");
  write_text(writer, record.key);
  writer.Key("headers");
  writer.StartArray();
  for (const Header& header : record.headers) {
    writer.StartObject();
    writer.Key("name");
    write_text(writer, header.name);
    writer.Key("value");
    write_text(writer, header.value);
    writer.EndObject();
  }
  writer.EndArray();
  writer.Key("timestamp");
  writer.Int64(record.timestamp_ms);
  writer.Key("value");
  write_text(writer, record.value);
  writer.EndObject();
  line.push_back('\n');
}

}  // namespace walpost
