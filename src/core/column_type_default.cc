#include <algorithm>
#include <array>
#include <cstddef>

#include "type_oids.h"
#include "value_reader.h"

// Defaults as PostgreSQL prints them (pg_get_expr): "'abc'::character varying", "5", "now()",
// "('a'::text || 'b'::text)". Debezium exports constants, and a neutral value for whatever begins
// with a function call.

namespace walpost {
namespace {

struct Constant {
  std::string text;
  bool is_quoted = false;
  int cast_count = 0;
  bool is_parenthesized = false;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Reads one constant, perhaps in parentheses and cast, and nothing else.
class ConstantText final {
 public:
  explicit ConstantText(std::string_view text) : text_(text) {}

  std::optional<Constant> read() {
    auto constant = read_one(0);
    if (!constant || !text_.empty()) return std::nullopt;
    return constant;
  }

 private:
  static constexpr int kMaxDepth = 32;  // no default of a person nests casts like that

  std::optional<Constant> read_one(int depth) {
    std::optional<Constant> constant;
    if (depth < kMaxDepth && take('(')) {
      constant = read_one(depth + 1);
      if (!constant || !take(')')) return std::nullopt;
      constant->is_parenthesized = true;
    } else if (take('\'')) {
      constant = read_quoted();
    } else {
      constant = read_bare();
    }
    while (constant && text_.starts_with("::")) {
      text_.remove_prefix(2);
      if (!skip_type_name()) return std::nullopt;
      ++constant->cast_count;
    }
    return constant;
  }

  std::optional<Constant> read_quoted() {
    Constant constant{.text = {}, .is_quoted = true};
    for (;;) {
      const std::size_t quote = text_.find('\'');
      if (quote == std::string_view::npos) return std::nullopt;
      constant.text += text_.substr(0, quote);
      text_.remove_prefix(quote + 1);
      if (!take('\'')) return constant;
      constant.text += '\'';
    }
  }

  // A number, true or false.
  std::optional<Constant> read_bare() {
    const auto end = std::find_if_not(text_.begin(), text_.end(), [](char c) {
      return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '+';
    });
    Constant constant{.text = std::string(text_.begin(), end)};
    text_.remove_prefix(constant.text.size());
    if (constant.text.empty()) return std::nullopt;
    return constant;
  }

  // "text", "\"Odd Mood\"", "public.mood", "character varying(5)", "timestamp(3) without time
  // zone", "text COLLATE \"C\"".
  bool skip_type_name() {
    if (!skip_word()) return false;
    while (take('.')) {
      if (!skip_word()) return false;
    }
    for (;;) {
      if (take('(')) {
        const std::size_t end = text_.find(')');
        if (end == std::string_view::npos) return false;
        text_.remove_prefix(end + 1);
      } else if (take(' ')) {
        if (!skip_second_word()) return false;
      } else {
        return true;
      }
    }
  }

  bool skip_second_word() {
    constexpr auto kWords =
        std::to_array<std::string_view>({"varying", "precision", "with", "without", "time", "zone",
                                         "year", "month", "day", "hour", "minute", "second", "to"});
    if (text_.starts_with("COLLATE ")) {
      text_.remove_prefix(std::string_view("COLLATE ").size());
      return skip_word() && (!take('.') || skip_word());
    }
    const std::string_view before = text_;
    if (!skip_word()) return false;
    const std::string_view word = before.substr(0, before.size() - text_.size());
    return std::ranges::find(kWords, word) != kWords.end();
  }

  bool skip_word() {
    if (take('"')) {
      const std::size_t end = text_.find('"');
      if (end == std::string_view::npos) return false;
      text_.remove_prefix(end + 1);
      return true;
    }
    const std::size_t before = text_.size();
    while (!text_.empty() && (is_letter(text_.front()) || is_digit(text_.front()) ||
                              text_.front() == '_' || (text_.front() & 0x80) != 0)) {
      text_.remove_prefix(1);
    }
    return text_.size() < before;
  }

  bool take(char expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::string_view text_;
};

// What Java's regular expressions take for the end of a line.
std::size_t find_line_break(std::string_view text) {
  std::size_t first = text.find_first_of("\r\n");
  for (const std::string_view other : {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    first = std::min(first, text.find(other));
  }
  return first;
}

// "now()", "(now() + '1 day'::interval)", "lower('X'::text)": begins with a call, after one
// parenthesis at most, whose argument list ends in the same line.
bool begins_with_call(std::string_view expression) {
  if (expression.starts_with('(')) expression.remove_prefix(1);
  const auto name_end = std::find_if_not(expression.begin(), expression.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '.';
  });
  if (name_end == expression.begin() || name_end == expression.end() || *name_end != '(') {
    return false;
  }
  const std::string_view arguments(name_end + 1, expression.end());
  const std::size_t end = arguments.find(')');
  return end != std::string_view::npos && end < find_line_break(arguments);
}

bool is_current_time(std::string_view expression) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"current_timestamp", "current_time", "current_date", "localtime", "localtimestamp"});
  return std::ranges::find(kNames, to_lower(expression)) != kNames.end();
}

bool is_text_like(std::uint32_t oid) {
  return oid == type_oid::kText || oid == type_oid::kVarchar || oid == type_oid::kBpchar ||
         oid == type_oid::kJson || oid == type_oid::kJsonb || oid == type_oid::kXml;
}

// The text that stands for a call's result; nullopt: the type exports no defaults.
std::optional<std::string_view> neutral_text(std::uint32_t oid, const ConnectSchema& schema) {
  switch (oid) {
    case type_oid::kText:
    case type_oid::kVarchar:
    case type_oid::kBpchar:
    case type_oid::kXml:
      return "";
    case type_oid::kJson:
    case type_oid::kJsonb:
      return "{}";
    case type_oid::kBool:
      return "f";
    case type_oid::kInt2:
    case type_oid::kInt4:
    case type_oid::kInt8:
      return "0";
    case type_oid::kFloat4:
    case type_oid::kFloat8:
    case type_oid::kNumeric:
      return "0.0";
    case type_oid::kUuid:
      return "00000000-0000-0000-0000-000000000000";
    case type_oid::kDate:
      return "1970-01-01";
    case type_oid::kTime:
      return "00:00:00";
    case type_oid::kTimestamp:
    case type_oid::kTimestamptz:
      return "1970-01-01 00:00:00";
    case type_oid::kInterval:
      return "00:00:00";
    case type_oid::kBit:
    case type_oid::kVarbit:
      return schema.type == ConnectType::kBoolean ? "0" : "";
    default:
      return std::nullopt;
  }
}

std::optional<std::string> numeric_of_column(std::string_view text, const TypeShape& shape) {
  if (shape.typmod < 4) return std::string(text);
  return numeric_at_scale(text, numeric_scale(shape.typmod));
}

// The constant in the form that the column would show it in; nullopt: none that Debezium exports.
std::optional<std::string> column_text(const Constant& constant, const TypeShape& shape) {
  const std::uint32_t oid = shape.oid.value;
  if (is_text_like(oid)) {
    if (!constant.is_quoted) return std::nullopt;
    return constant.text;
  }
  switch (oid) {
    case type_oid::kBool:
      if (constant.text == "true" || constant.text == "t") return "t";
      if (constant.text == "false" || constant.text == "f") return "f";
      return std::nullopt;
    case type_oid::kUuid:
      return to_lower(constant.text);
    case type_oid::kNumeric:
      return numeric_of_column(constant.text, shape);
    case type_oid::kDate:
      // A timestamp's date: all but what is after it.
      if (const auto space = constant.text.find(' ');
          space != std::string::npos && constant.text.find(" BC") == std::string::npos) {
        return constant.text.substr(0, space);
      }
      return constant.text;
    case type_oid::kTimestamptz:
      if (constant.text.ends_with("infinity")) return std::nullopt;
      return constant.text;
    case type_oid::kBit:
      if (shape.typmod >= 0 && constant.text.size() != static_cast<std::size_t>(shape.typmod)) {
        return std::nullopt;
      }
      return constant.text;
    default:
      return constant.text;
  }
}

bool fits(std::int64_t value, ConnectType type) {
  if (type == ConnectType::kInt16) return value == static_cast<std::int16_t>(value);
  if (type == ConnectType::kInt32) return value == static_cast<std::int32_t>(value);
  return true;
}

std::optional<ConnectValue> value_of(std::string_view text, const TypeChoice& choice) {
  try {
    ConnectValue value = choice.reader.parse(text, choice.reader);
    const auto* integer = std::get_if<std::int64_t>(&value.value);
    if (integer && !fits(*integer, choice.schema.type)) return std::nullopt;
    return value;
  } catch (const ValueRefusal&) {
    return std::nullopt;  // no default is right, since only its use would be wrong
  }
}

// 'sad'::mood, and no more than that.
std::optional<ConnectValue> enum_default(const std::optional<Constant>& constant) {
  if (!constant || !constant->is_quoted || constant->cast_count != 1 ||
      constant->is_parenthesized) {
    return std::nullopt;
  }
  return ConnectValue{constant->text};
}

}  // namespace

std::optional<ConnectValue> exported_default(std::string_view expression, const TypeShape& shape,
                                             const TypeChoice& choice) {
  const bool is_enum = shape.facts && shape.facts->typtype == 'e';
  const auto neutral = neutral_text(shape.oid.value, choice.schema);
  // Structs cannot be defaults in Kafka Connect (KAFKA-12694).
  if (shape.element_oid || choice.schema.type == ConnectType::kStruct || (!neutral && !is_enum)) {
    return std::nullopt;
  }
  if (neutral && (begins_with_call(expression) || is_current_time(expression))) {
    const bool is_numeric = shape.oid.value == type_oid::kNumeric;
    const auto text = is_numeric ? numeric_of_column(*neutral, shape) : std::string(*neutral);
    return text ? value_of(*text, choice) : std::nullopt;
  }
  const auto constant = ConstantText(expression).read();
  if (constant && find_line_break(constant->text) != std::string_view::npos) return std::nullopt;
  if (is_enum) return enum_default(constant);
  if (!constant || (!constant->is_quoted && constant->cast_count > 0)) return std::nullopt;
  const auto text = column_text(*constant, shape);
  return text ? value_of(*text, choice) : std::nullopt;
}

}  // namespace walpost
