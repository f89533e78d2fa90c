#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>

#include "base64.h"
#include "walpost/check.h"
#include "walpost/converter.h"
#include "walpost/java_number.h"

namespace walpost {
namespace {

constexpr std::int64_t kMsPerDay = 86'400'000;

// Connect's own logical types, of time.precision.mode=connect.
enum class Temporal { kNone, kDate, kTime, kTimestamp };

Temporal temporal_of(const ConnectSchema* schema) noexcept {
  if (schema == nullptr) return Temporal::kNone;
  constexpr std::string_view kPackage = "org.apache.kafka.connect.data.";
  std::string_view name = schema->name;
  if (!name.starts_with(kPackage)) return Temporal::kNone;
  name.remove_prefix(kPackage.size());
  if (name == "Date") return Temporal::kDate;
  if (name == "Time") return Temporal::kTime;
  return name == "Timestamp" ? Temporal::kTimestamp : Temporal::kNone;
}

struct DayAndTime {
  std::int64_t day;  // since 1970-01-01
  std::int64_t ms;   // since midnight
};

DayAndTime split_ms(std::int64_t ms) noexcept {
  const std::int64_t rest = ms % kMsPerDay;
  if (rest < 0) return {.day = ms / kMsPerDay - 1, .ms = rest + kMsPerDay};
  return {.day = ms / kMsPerDay, .ms = rest};
}

// The proleptic Gregorian calendar, for every day that PostgreSQL knows; std::chrono's ends with
// the year 32767. Counted in years that begin in March, so that the leap day is the last one.
void append_date(std::string& out, std::int64_t day) {
  constexpr std::int64_t kDaysPerEra = 146'097;  // 400 years
  const std::int64_t since_march_0000 = day + 719'468;
  const std::int64_t day_of_era = (since_march_0000 % kDaysPerEra + kDaysPerEra) % kDaysPerEra;
  const std::int64_t era = (since_march_0000 - day_of_era) / kDaysPerEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  if (year < 0) out += '-';
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}", year < 0 ? -year : year, month,
                 day_of_month);
}

void append_time(std::string& out, std::int64_t ms) {
  fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}.{:03}Z", ms / 3'600'000,
                 ms / 60'000 % 60, ms / 1'000 % 60, ms % 1'000);
}

void append_temporal(std::string& out, Temporal type, std::int64_t value) {
  if (type == Temporal::kDate) {
    append_date(out, value);
    return;
  }
  const DayAndTime time = split_ms(value);
  if (type == Temporal::kTimestamp) {
    append_date(out, time.day);
    out += 'T';
  }
  append_time(out, time.ms);
}

// Values.dateFormatFor chooses by the value alone: on 1970-01-01 only the time, at midnight only
// the date. It takes everything before 1970 for a time as well, which loses the date: not here.
void append_simple_temporal(std::string& out, Temporal type, std::int64_t value) {
  const DayAndTime time =
      type == Temporal::kDate ? DayAndTime{.day = value, .ms = 0} : split_ms(value);
  if (time.day == 0) {
    append_temporal(out, Temporal::kTime, time.ms);
  } else if (time.ms == 0) {
    append_temporal(out, Temporal::kDate, time.day);
  } else {
    append_temporal(out, Temporal::kTimestamp, value);
  }
}

// Values.append of Connect: quotes inside of something else only.
class SimpleAppender final {
 public:
  explicit SimpleAppender(std::string& out) : out_(out) {}

  void append(const ConnectSchema* schema, const ConnectValue& value, bool embedded) {
    embedded_ = embedded;
    std::visit([&](const auto& alternative) { put(schema, alternative); }, value.value);
  }

 private:
  void put(const ConnectSchema*, ConnectValue::Null) { out_ += "null"; }
  void put(const ConnectSchema*, bool value) { out_ += value ? "true" : "false"; }
  void put(const ConnectSchema* schema, std::int64_t value) {
    const Temporal temporal = temporal_of(schema);
    if (temporal == Temporal::kNone) {
      fmt::format_to(std::back_inserter(out_), "{}", value);
    } else {
      append_simple_temporal(out_, temporal, value);
    }
  }
  void put(const ConnectSchema*, float value) { append_java_number(out_, value); }
  void put(const ConnectSchema*, double value) { append_java_number(out_, value); }
  void put(const ConnectSchema*, const Decimal& value) { append_java_number(out_, value); }
  void put(const ConnectSchema*, const std::string& value) { append_text(value); }
  void put(const ConnectSchema*, const Bytes& value) { append_text(base64(value.data)); }

  void put(const ConnectSchema* schema, const ConnectArray& value) {
    const ConnectSchema* const element = schema == nullptr ? nullptr : schema->element.get();
    char separator = '[';
    for (const ConnectValue& item : value.elements) {
      out_ += std::exchange(separator, ',');
      append(element, item, true);
    }
    out_ += value.elements.empty() ? "[]" : "]";
  }
  void put(const ConnectSchema* schema, const ConnectMap& value) {
    const ConnectSchema* const element = schema == nullptr ? nullptr : schema->element.get();
    char separator = '{';
    for (const auto& [key, item] : value.entries) {
      out_ += std::exchange(separator, ',');
      append_quoted(key);
      out_ += ':';
      append(element, item, true);
    }
    out_ += value.entries.empty() ? "{}" : "}";
  }
  void put(const ConnectSchema* schema, const ConnectStruct& value) {
    CHECK(schema != nullptr && schema->fields.size() == value.members.size());
    char separator = '{';
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      out_ += std::exchange(separator, ',');
      const ConnectSchema::Field& field = schema->fields[i];
      const ConnectValue& member = value.members[i];
      const bool shows_default = member.is_null() && field.schema->default_value.has_value();
      append_quoted(field.name);
      out_ += ':';
      append(field.schema.get(), shows_default ? *field.schema->default_value : member, true);
    }
    out_ += value.members.empty() ? "{}" : "}";
  }

  void append_text(std::string_view text) {
    if (embedded_) {
      append_quoted(text);
    } else {
      out_ += text;
    }
  }

  void append_quoted(std::string_view text) {
    out_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') out_ += '\\';
      out_ += c;
    }
    out_ += '"';
  }

  std::string& out_;
  bool embedded_ = false;
};

// Object.toString of Java's classes.
class RawAppender final {
 public:
  explicit RawAppender(std::string& out) : out_(out) {}

  void append(const ConnectSchema* schema, const ConnectValue& value) {
    std::visit([&](const auto& alternative) { put(schema, alternative); }, value.value);
  }

 private:
  void put(const ConnectSchema*, ConnectValue::Null) { out_ += "null"; }
  void put(const ConnectSchema*, bool value) { out_ += value ? "true" : "false"; }
  void put(const ConnectSchema* schema, std::int64_t value) {
    const Temporal temporal = temporal_of(schema);
    if (temporal == Temporal::kNone) {
      fmt::format_to(std::back_inserter(out_), "{}", value);
    } else {
      append_temporal(out_, temporal, value);
    }
  }
  void put(const ConnectSchema*, float value) { append_java_number(out_, value); }
  void put(const ConnectSchema*, double value) { append_java_number(out_, value); }
  void put(const ConnectSchema*, const Decimal& value) { append_java_number(out_, value); }
  void put(const ConnectSchema*, const std::string& value) { out_ += value; }
  void put(const ConnectSchema*, const Bytes& value) { out_ += base64(value.data); }
  void put(const ConnectSchema* schema, const ConnectArray& value) {
    const ConnectSchema* const element = schema == nullptr ? nullptr : schema->element.get();
    std::string_view separator = "[";
    for (const ConnectValue& item : value.elements) {
      out_ += std::exchange(separator, ", ");
      append(element, item);
    }
    out_ += value.elements.empty() ? "[]" : "]";
  }
  void put(const ConnectSchema* schema, const ConnectMap& value) {
    const ConnectSchema* const element = schema == nullptr ? nullptr : schema->element.get();
    std::string_view separator = "{";
    for (const auto& [key, item] : value.entries) {
      out_ += std::exchange(separator, ", ");
      out_ += key;
      out_ += '=';
      append(element, item);
    }
    out_ += value.entries.empty() ? "{}" : "}";
  }
  void put(const ConnectSchema* schema, const ConnectStruct& value) {
    append_json(out_, schema, ConnectValue{value});
  }

  std::string& out_;
};

}  // namespace

std::optional<std::string> raw_text(const ConnectSchema* schema, const ConnectValue& value) {
  if (value.is_null()) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  if (const auto* bytes = std::get_if<Bytes>(&value.value)) return bytes->data;
  std::string out;
  if (std::holds_alternative<ConnectStruct>(value.value)) {
    append_json(out, schema, value);
  } else {
    RawAppender(out).append(schema, value);
  }
  return out;
}

std::optional<std::string> simple_header_text(const ConnectSchema* schema,
                                              const ConnectValue& value) {
  if (value.is_null()) return std::nullopt;
  std::string out;
  SimpleAppender(out).append(schema, value, false);
  return out;
}

}  // namespace walpost
