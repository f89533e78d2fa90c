#include <fmt/format.h>

#include <array>
#include <optional>

#include "debezium_parts.h"

namespace walpost {
namespace {

using Verdict = DebeziumVerdict;

enum class Role { kKey, kValue, kHeader };

enum class Converter {
  kString,
  kJson,
  kKafkaBytes,     // bytes alone
  kBinaryData,     // bytes as they are, all else through a delegate
  kDebeziumBytes,  // nothing that the connector makes is bytes to it: all through a delegate
  kSimpleHeader,
};

struct ConverterClass {
  std::string_view name;
  Converter converter;
};

constexpr std::array<ConverterClass, 7> kClasses{{
    {"org.apache.kafka.connect.storage.StringConverter", Converter::kString},
    {"org.apache.kafka.connect.json.JsonConverter", Converter::kJson},
    {"org.apache.kafka.connect.converters.ByteArrayConverter", Converter::kKafkaBytes},
    {"io.debezium.converters.BinaryDataConverter", Converter::kBinaryData},
    {"io.debezium.converters.ByteBufferConverter", Converter::kBinaryData},  // its name before 1.9
    {"io.debezium.converters.ByteArrayConverter", Converter::kDebeziumBytes},
    {"org.apache.kafka.connect.storage.SimpleHeaderConverter", Converter::kSimpleHeader},
}};

std::optional<Converter> find_converter(std::string_view name) {
  for (const auto& [full, converter] : kClasses) {
    // Kafka Connect takes a class without its package, where it is the only one.
    const bool is_unique = full.find("ByteArrayConverter") == std::string_view::npos;
    if (name == full || (is_unique && name == full.substr(full.rfind('.') + 1))) return converter;
  }
  return std::nullopt;
}

struct Part {
  Role role;
  std::string_view name;    // "value.converter"
  std::string_view option;  // "value-format"
};

constexpr std::array<Part, 3> kParts{{{Role::kKey, "key.converter", "key-format"},
                                      {Role::kValue, "value.converter", "value-format"},
                                      {Role::kHeader, "header.converter", "header-format"}}};

constexpr std::string_view kBytesAlone =
    "bytea goes out as its bytes; Kafka Connect would stop at a column of another type, walpost "
    "sends its text";
constexpr std::string_view kBytesElseJson =
    "bytea goes out as its bytes; a column of another type would be JSON: give the format json or "
    "json-schema then";

class ConverterNotes final {
 public:
  ConverterNotes(DebeziumNotes& notes, const DebeziumRouter& router, const Part& part)
      : notes_(notes), router_(router), part_(part) {}

  void translate() {
    const auto text = notes_.text(part_.name);
    if (!notes_.is_in_file(part_.name)) {
      note_missing();
    } else if (text) {
      translate_class(trimmed_as_java(*text));
    }
    note_settings();
  }

 private:
  [[nodiscard]] std::string setting(std::string_view name) const {
    return fmt::format("{}.{}", part_.name, name);
  }

  // The worker's own converter counts then, and it is not in this file. Hardly anybody changes the
  // one of headers.
  void note_missing() {
    if (part_.role == Role::kHeader) return;
    notes_.refuse(
        part_.name, part_.option,
        fmt::format("missing: the worker's own setting counts, and only you know it; give "
                    "--{} raw for StringConverter, json or json-schema for JsonConverter "
                    "without or with schemas (its default)",
                    part_.option));
  }

  void become(std::string_view format, std::string_view reason = {}) {
    notes_.become(part_.name, part_.option, std::string(format), reason);
  }
  void refuse(std::string_view reason) { notes_.refuse(part_.name, part_.option, reason); }

  // JsonConverter's format; nullopt: schemas.enable is neither true nor false, which is noted.
  std::optional<std::string> json_format(std::string_view schemas_enable) {
    const auto text = notes_.text(schemas_enable);
    if (!text || is_one_of(*text, "true")) return "json-schema";
    if (is_one_of(*text, "false")) return "json";
    refuse(fmt::format("{} must be true or false", schemas_enable));
    return std::nullopt;
  }

  // What the delegate makes of a value that is not bytes; nullopt: refused.
  std::optional<std::string> delegate_format() {
    const auto text = notes_.text(setting("delegate.converter.type"));
    const auto delegate = find_converter(trimmed_as_java(text.value_or("")));
    if (delegate == Converter::kString) return "raw";
    if (delegate == Converter::kJson) {
      return json_format(setting("delegate.converter.type.schemas.enable"));
    }
    refuse(text ? "walpost has no counterpart of its delegate"
                : "takes bytes alone, and there is no delegate for what is none");
    return std::nullopt;
  }

  void translate_delegating(Converter converter) {
    const bool has_delegate = notes_.is_in_file(setting("delegate.converter.type"));
    const bool is_struct =
        part_.role == Role::kValue && (router_.has_envelope || router_.expands_json);
    if (!has_delegate && !is_struct) return become("raw", kBytesAlone);
    const auto format = delegate_format();
    if (!format) return;
    if (converter == Converter::kDebeziumBytes || is_struct || *format == "raw") {
      return become(*format, "the delegate's");
    }
    become("raw", kBytesElseJson);
  }

  void translate_class(std::string_view name) {
    const auto converter = find_converter(name);
    if (!converter) {
      return refuse(
          "walpost has no counterpart of this converter: consumers would get other bytes");
    }
    const bool is_header = part_.role == Role::kHeader;
    switch (*converter) {
      case Converter::kString:
        return become("raw");
      case Converter::kJson:
        if (const auto format = json_format(setting("schemas.enable"))) become(*format);
        return;
      case Converter::kKafkaBytes:
        if (is_header) return refuse("Debezium stops at the header id, which is no bytes");
        if (part_.role == Role::kValue && (router_.has_envelope || router_.expands_json)) {
          return refuse("takes bytes alone, and the value is none");
        }
        return become("raw", kBytesAlone);
      case Converter::kBinaryData:
      case Converter::kDebeziumBytes:
        if (is_header) return refuse("Debezium stops at the header id, which is no bytes");
        return translate_delegating(*converter);
      case Converter::kSimpleHeader:
        if (is_header) return become("simple");
        return refuse("a converter of headers");
    }
  }

  // Settings that were read with the class.
  void note_settings() {
    for (const std::string_view name :
         {"schemas.enable", "delegate.converter.type", "delegate.converter.type.schemas.enable"}) {
      const std::string full = setting(name);
      if (notes_.text(full)) {
        notes_.note(full, Verdict::kApplied, part_.option, fmt::format("with {}", part_.name));
      }
    }
  }

  DebeziumNotes& notes_;
  const DebeziumRouter& router_;
  const Part& part_;
};

}  // namespace

void translate_converters(DebeziumNotes& notes, const DebeziumRouter& router) {
  for (const Part& part : kParts) ConverterNotes(notes, router, part).translate();
}

}  // namespace walpost
