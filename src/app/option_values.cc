#include "option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <span>

#include "kafka_properties.h"

namespace walpost {
namespace {

constexpr std::string_view kMask = "********";
// NAMEDATALEN - 1: PostgreSQL cuts longer identifiers, and a cut name is another name.
constexpr std::size_t kIdentifierBytes = 63;

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 4> kDurationUnits{
    {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}}};

constexpr std::array<Unit, 10> kSizeUnits{{{"B", 1},
                                           {"kB", 1'000},
                                           {"KB", 1'000},
                                           {"MB", 1'000'000},
                                           {"GB", 1'000'000'000},
                                           {"TB", 1'000'000'000'000},
                                           {"KiB", std::uint64_t{1} << 10},
                                           {"MiB", std::uint64_t{1} << 20},
                                           {"GiB", std::uint64_t{1} << 30},
                                           {"TiB", std::uint64_t{1} << 40}}};

constexpr std::string_view kDurationForm = "a duration is a whole number with ms, s, m or h: 500ms";
constexpr std::string_view kSizeForm =
    "a size is a whole number with B, kB, MB, GB, TB, KiB, MiB, GiB or TiB: 64MiB";

std::uint64_t parse_quantity(std::string_view text, std::span<const Unit> units,
                             std::string_view form) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) throw BadValue("too large");
  if (error != std::errc{}) throw BadValue(std::string(form));
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (unit == units.end()) {
    throw BadValue(name.empty() ? fmt::format("the unit is missing; {}", form) : std::string(form));
  }
  constexpr auto kGreatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (number > kGreatest / unit->factor) throw BadValue("too large");
  return number * unit->factor;
}

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

bool contains_any(const std::string& text, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

// Takes one part of a qualified name off `rest`: up to a dot outside quotes.
std::string take_name_part(std::string_view& rest) {
  std::string part;
  if (!rest.starts_with('"')) {
    const std::size_t end = std::min(rest.find('.'), rest.size());
    part = rest.substr(0, end);
    rest.remove_prefix(end);
    if (part.find('"') != std::string::npos) throw BadValue("a quote in the middle of a name");
    return part;
  }
  for (rest.remove_prefix(1);; rest.remove_prefix(1)) {
    if (rest.empty()) throw BadValue("a quoted name is not closed");
    if (rest.starts_with("\"\"")) {
      rest.remove_prefix(1);
    } else if (rest.front() == '"') {
      break;
    }
    part += rest.front();
  }
  rest.remove_prefix(1);
  return part;
}

}  // namespace

std::chrono::milliseconds parse_duration(std::string_view text) {
  return std::chrono::milliseconds(parse_quantity(text, kDurationUnits, kDurationForm));
}

std::uint64_t parse_size(std::string_view text) {
  return parse_quantity(text, kSizeUnits, kSizeForm);
}

std::int64_t parse_number(std::string_view text, std::int64_t least, std::int64_t greatest) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    throw BadValue("a whole number is expected");
  }
  if (error != std::errc{} || number < least || number > greatest) {
    throw BadValue(fmt::format("must be from {} to {}", least, greatest));
  }
  return number;
}

bool parse_switch(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw BadValue("must be true or false");
}

TableName parse_table_name(std::string_view text) {
  std::string_view rest = text;
  TableName table{"public", take_name_part(rest)};
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    table.nspname = std::exchange(table.relname, take_name_part(rest));
  }
  if (!rest.empty()) {
    throw BadValue("must be [SCHEMA.]NAME; a name that holds a dot goes into double quotes");
  }
  static_cast<void>(parse_identifier(table.nspname));
  static_cast<void>(parse_identifier(table.relname));
  return table;
}

std::string parse_identifier(std::string_view text) {
  if (text.empty()) throw BadValue("a name cannot be empty");
  if (text.size() > kIdentifierBytes) {
    throw BadValue(
        fmt::format("a name has at most {} bytes, this one {}", kIdentifierBytes, text.size()));
  }
  if (text.find('\0') != std::string_view::npos) throw BadValue("a name cannot hold a NUL byte");
  return std::string(text);
}

std::string parse_slot_name(std::string_view text) {
  const auto allowed = [](char c) { return is_lower_or_digit(c) || c == '_'; };
  if (text.empty() || text.size() > kIdentifierBytes || !std::ranges::all_of(text, allowed)) {
    throw BadValue(
        "a slot's name has 1 to 63 characters, each a lower-case letter, a digit or an underscore");
  }
  return std::string(text);
}

EndPosition parse_end_position(std::string_view text) {
  if (text == "now") return {};
  const std::optional<Lsn> lsn = Lsn::parse(text);
  if (!lsn || !lsn->is_valid()) throw BadValue("must be now or a log position such as 16/B374D848");
  return {.lsn = lsn};
}

HttpAddress parse_http_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) {
    throw BadValue("must be HOST:PORT, for example 127.0.0.1:9633");
  }
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    throw BadValue("an IPv6 address goes into brackets: [::1]:9633");
  }
  if (host.empty()) throw BadValue("the host is missing");
  const std::int64_t port = parse_number(text.substr(colon + 1), 0, 65535);
  return {std::string(host), static_cast<std::uint16_t>(port)};
}

std::string parse_brokers(std::string_view text) {
  std::string_view rest = text;
  while (true) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view broker = rest.substr(0, end);
    if (broker.empty() || broker.find_first_of(" \t\n") != std::string_view::npos) {
      throw BadValue("must be HOST:PORT, several of them with commas between and no blanks");
    }
    if (end == rest.size()) return std::string(text);
    rest.remove_prefix(end + 1);
  }
}

Property parse_property(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) throw BadValue("must be KEY=VALUE");
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

void refuse_choice(std::string_view allowed) {
  throw BadValue(fmt::format("must be one of: {}", allowed));
}

std::string mask_conninfo(std::string_view text) {
  static constexpr std::array<std::string_view, 2> kSecretWords{"passw", "secret"};
  const std::size_t scheme = text.find("://");
  const bool has_user_part =
      scheme != std::string_view::npos && text.find('@', scheme) != std::string_view::npos;
  const bool uri_password =
      has_user_part &&
      text.substr(scheme + 3, text.rfind('@') - scheme - 3).find(':') != std::string_view::npos;
  const bool secret = uri_password || contains_any(lower(text), kSecretWords);
  return std::string(secret ? kMask : text);
}

std::string mask_property(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::string(kMask);
  const std::string_view key = text.substr(0, equals);
  if (!is_secret_property(key)) return std::string(text);
  return fmt::format("{}={}", key, kMask);
}

}  // namespace walpost
