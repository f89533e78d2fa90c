#pragma once

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "utf8.h"

namespace walpost {

// A JSON document, written front to back. Its text is UTF-8 whatever it is given.
class JsonWriter final {
 public:
  void begin_object() { writer_.StartObject(); }
  void begin_object(std::string_view key) {
    put_key(key);
    writer_.StartObject();
  }
  void end_object() { writer_.EndObject(); }
  void begin_array(std::string_view key) {
    put_key(key);
    writer_.StartArray();
  }
  void end_array() { writer_.EndArray(); }

  // An element of an array.
  void add(std::string_view value) { put_string(value); }

  // A member of an object; null where there is no value.
  template <typename T>
  void put(std::string_view key, const T& value) {
    put_key(key);
    put_value(value);
  }

  [[nodiscard]] std::string text() const { return {buffer_.GetString(), buffer_.GetSize()}; }

 private:
  void put_key(std::string_view key) {
    writer_.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
  }
  void put_string(std::string_view value) {
    const std::string text = valid_utf8(value);
    writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }

  void put_value(std::string_view value) { put_string(value); }
  void put_value(std::nullopt_t) { writer_.Null(); }
  void put_value(std::same_as<bool> auto value) { writer_.Bool(value); }
  void put_value(std::floating_point auto value) { writer_.Double(value); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void put_value(T value) {
    if constexpr (std::signed_integral<T>) {
      writer_.Int64(value);
    } else {
      writer_.Uint64(value);
    }
  }
  template <typename T>
  void put_value(const std::optional<T>& value) {
    if (value) {
      put_value(*value);
    } else {
      writer_.Null();
    }
  }

  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

}  // namespace walpost
