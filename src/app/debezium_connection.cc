#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "debezium_parts.h"
#include "option_values.h"

namespace walpost {
namespace {

using Verdict = DebeziumVerdict;

struct Keyword {
  std::string_view name;     // Debezium's
  std::string_view keyword;  // libpq's
  bool is_required;
};

constexpr std::array<Keyword, 10> kKeywords{{
    {"database.hostname", "host", true},
    {"database.port", "port", false},
    {"database.dbname", "dbname", true},
    {"database.user", "user", true},
    {"database.password", "password", false},
    {"database.sslmode", "sslmode", false},
    {"database.sslcert", "sslcert", false},
    {"database.sslkey", "sslkey", false},
    {"database.sslpassword", "sslpassword", false},
    {"database.sslrootcert", "sslrootcert", false},
}};

// A value of a connection string: in quotes unless it is plain.
std::string conninfo_value(std::string_view value) {
  const auto is_plain = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-/:,@").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!value.empty() && std::ranges::all_of(value, is_plain)) return std::string(value);
  std::string quoted = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string why_not_taken(std::string_view name, std::string_view value) {
  if (value.find('\0') != std::string_view::npos) return "holds a NUL byte";
  if (name == "database.port") {
    try {
      static_cast<void>(parse_number(value, 1, 65535));
    } catch (const BadValue& error) {
      return error.what();
    }
  }
  constexpr std::string_view kModes = "disable|allow|prefer|require|verify-ca|verify-full";
  if (name == "database.sslmode" && !is_one_of(value, kModes)) {
    return fmt::format("must be one of: {}", kModes);
  }
  return {};
}

// "schema.table" of an entry that is a name and no pattern, as --table takes it.
std::optional<std::string> table_name(std::string_view entry) {
  if (entry.starts_with('^')) entry.remove_prefix(1);
  if (entry.ends_with('$') && !entry.ends_with("\\$")) entry.remove_suffix(1);
  std::array<std::string, 2> parts;
  std::size_t part = 0;
  for (std::size_t i = 0; i < entry.size(); ++i) {
    char c = entry[i];
    if (c == '\\') {
      if (++i == entry.size()) return std::nullopt;
      c = entry[i];
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (is_letter || (c >= '0' && c <= '9')) return std::nullopt;  // \d, \1, …
    } else if (std::string_view("[](){}*+?|^$").find(c) != std::string_view::npos) {
      return std::nullopt;
    }
    if (c != '.') {
      parts[part] += c;
    } else if (++part == parts.size()) {
      return std::nullopt;
    }
  }
  // --table takes a name with a quote in it only in quotes; nobody has one.
  const auto is_plain = [](const std::string& name) {
    return !name.empty() && name.find('"') == std::string::npos;
  };
  if (!is_plain(parts[0]) || !is_plain(parts[1])) return std::nullopt;
  return fmt::format("{}.{}", parts[0], parts[1]);
}

}  // namespace

void translate_connection(DebeziumNotes& notes) {
  std::string conninfo;
  std::vector<std::string_view> used;
  const auto use = [&](std::string_view name, std::string_view keyword, std::string_view value) {
    conninfo += fmt::format("{}{}={}", conninfo.empty() ? "" : " ", keyword, conninfo_value(value));
    used.push_back(name);
  };
  for (const auto& [name, keyword, is_required] : kKeywords) {
    const auto text = notes.text(name);
    if (!text && is_required && !notes.is_in_file(name)) {
      notes.refuse(name, "dbname", "missing: Debezium does not start without it");
    }
    if (!text) continue;
    // What goes into a file path or a password goes in to the letter.
    const bool is_word = keyword == "port" || keyword == "sslmode";
    const std::string value = is_word ? lower_case(trimmed_as_java(*text)) : std::string(*text);
    if (const std::string why = why_not_taken(name, value); !why.empty()) {
      notes.refuse(name, "dbname", why);
    } else if (value.empty()) {
      notes.note(name, Verdict::kNotNeeded, "dbname", "is empty");
    } else {
      use(name, keyword, value);
    }
  }
  constexpr std::string_view kKeepAlive = "database.tcpKeepAlive";
  if (const auto text = notes.text(kKeepAlive)) {
    use(kKeepAlive, "keepalives", is_one_of(*text, "false") ? "0" : "1");
  }
  if (used.empty()) return;
  for (const std::string_view name : used) {
    const DebeziumRow* row = find_debezium_row(DebeziumScope::kConnector, name);
    notes.become(name, "dbname", conninfo, row->reason);
  }
  if (used.size() > 1) notes.name_origin("dbname", "database.*");
}

void translate_tables(DebeziumNotes& notes) {
  constexpr std::string_view kName = "table.include.list";
  constexpr std::string_view kOldName = "table.whitelist";
  const bool is_old = !notes.is_in_file(kName) && notes.is_in_file(kOldName);
  const std::string_view name = is_old ? kOldName : kName;
  if (!is_old && notes.is_in_file(kOldName)) {
    notes.note(kOldName, Verdict::kNotNeeded, "", "table.include.list is there too");
  }
  if (!notes.is_in_file(name)) {
    return notes.refuse(name, "table",
                        "missing: Debezium would then publish every table; name the outbox table "
                        "with --table");
  }
  const auto text = notes.text(name);
  if (!text) return;
  const std::vector<std::string> entries = split_list(*text);
  if (entries.empty()) return notes.refuse(name, "table", "names no table");
  for (const std::string& entry : entries) {
    const auto table = table_name(entry);
    if (!table) {
      return notes.refuse(name, "table",
                          fmt::format("\"{}\" is no SCHEMA.NAME but a pattern; walpost knows no "
                                      "patterns: name the outbox tables with --table",
                                      entry));
    }
    notes.append(name, "table", *table);
    if (notes.is_refused(name)) return;
  }
}

}  // namespace walpost
