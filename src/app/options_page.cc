#include "options_page.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "option_table.h"

namespace walpost {
namespace {

constexpr std::array kGroups{OptionGroup::kConnection, OptionGroup::kSinks, OptionGroup::kRouting,
                             OptionGroup::kObservability, OptionGroup::kCommand};

std::string command_names(const OptionRow& row) {
  std::string names;
  for (const CommandRow& command : command_table()) {
    if ((row.commands & set_of(command.command)) == 0) continue;
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", command.name);
  }
  return names;
}

// A vertical bar ends a table cell, also inside code.
std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string in_code(std::string_view text) {
  return text.empty() ? "–" : fmt::format("`{}`", in_cell(text));
}

std::string about(const OptionRow& row) {
  std::string text(row.help);
  if (row.kind == OptionKind::kList) text += " Repeatable.";
  if (!row.range.empty()) text += fmt::format(" Takes {}.", row.range);
  return text;
}

// Text of a manual page: a dot or quote that begins a line, dashes and backslashes are commands.
std::string troff(std::string_view text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string man_option(const OptionRow& row) {
  std::string text = about(row);
  if (!row.default_text.empty() && row.kind != OptionKind::kSwitch) {
    text += fmt::format(" Default: {}.", row.default_text);
  }
  return fmt::format(".TP\n.B {}\n{}\n", troff(option_usage(row)), troff(text));
}

constexpr std::string_view kExitCodes = R"(.SH EXIT STATUS
.TP
.B 0
asked to stop; everything acknowledged and confirmed
.TP
.B 1
unexpected (a bug)
.TP
.B 2
bad flags or configuration
.TP
.B 3
PostgreSQL unreachable beyond the retry budget
.TP
.B 4
PostgreSQL set up wrong
.TP
.B 5
the stream cannot be decoded, or an outbox row does not fit the mapping
.TP
.B 6
the sink refused a record for good
.TP
.B 7
the drain deadline passed, or a second signal; unconfirmed events will come again
.PP
.B walpost status
answers as monitors expect: 0 ok, 1 warning, 2 critical, 3 unknown.
)";

}  // namespace

std::string options_page() {
  std::string page =
      "# Options\n\n"
      "Printed by `walpost options-page`; edit `src/app/option_table.cc` instead.\n\n"
      "Each option exists three times with one meaning: `--some-option VALUE`,\n"
      "`WALPOST_SOME_OPTION=VALUE` in the environment, and `some-option = value` in a TOML or INI\n"
      "file given by `--config`. Flag beats environment beats file beats default; `walpost config\n"
      "show` prints the effective values and where each came from. Repeatable options are one per\n"
      "line in the environment and an array in the file. In the file a value with blanks, commas,\n"
      "quotes or brackets goes into quotes; backslashes are taken to the letter.\n\n"
      "Durations are whole numbers with `ms`, `s`, `m` or `h`; sizes with `B`, `kB`, `MB`, `GB`,\n"
      "`TB` (powers of 1000) or `KiB`, `MiB`, `GiB`, `TiB` (powers of 1024).\n";
  for (const OptionGroup group : kGroups) {
    page += fmt::format("\n## {}\n\n| option | default | meaning | commands |\n|---|---|---|---|\n",
                        group_title(group));
    for (const OptionRow& row : option_table()) {
      if (row.group != group) continue;
      page += fmt::format("| {} | {} | {} | {} |\n", in_code(option_usage(row)),
                          in_code(row.kind == OptionKind::kSwitch ? "" : row.default_text),
                          in_cell(about(row)), command_names(row));
    }
  }
  return page;
}

std::string man_page() {
  std::string page =
      ".TH WALPOST 1 \"\" \"walpost " WALPOST_VERSION
      "\"\n.SH NAME\nwalpost \\- carry a transactional outbox from PostgreSQL to Kafka\n"
      ".SH SYNOPSIS\n.B walpost\n.I COMMAND\n[\\fIOPTION\\fR]...\n.SH COMMANDS\n";
  for (const CommandRow& row : command_table()) {
    if (row.hidden) continue;
    page += fmt::format(".TP\n.B {} {}\n{}.\n", troff(row.name), troff(row.argument),
                        troff(row.summary));
  }
  page +=
      ".SH OPTIONS\nEvery option \\-\\-some\\-option is WALPOST_SOME_OPTION in the environment "
      "and\n"
      "some\\-option in a file given by \\-\\-config. Flag beats environment beats file.\n";
  for (const OptionGroup group : kGroups) {
    page += fmt::format(".SS {}\n", group_title(group));
    for (const OptionRow& row : option_table()) {
      if (row.group == group) page += man_option(row);
    }
  }
  return page + std::string(kExitCodes);
}

}  // namespace walpost
