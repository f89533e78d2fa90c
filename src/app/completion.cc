#include "completion.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "command_table.h"
#include "option_table.h"
#include "walpost/error.h"

namespace walpost {
namespace {

std::string first_word(std::string_view text) {
  return std::string(text.substr(0, text.find(' ')));
}

// "kafka stdout null" of "kafka|stdout|null"; empty where the metavar is a description in capitals.
std::string choices(std::string_view metavar) {
  std::string words;
  for (const char c : metavar) {
    if (c >= 'A' && c <= 'Z') return {};
    words += c == '|' ? ' ' : c;
  }
  return words;
}

bool takes(const CommandRow& command, const OptionRow& option) {
  return (option.commands & set_of(command.command)) != 0;
}

std::vector<CommandRow> shown_commands() {
  std::vector<CommandRow> commands;
  for (const CommandRow& row : command_table()) {
    if (!row.hidden) commands.push_back(row);
  }
  return commands;
}

// ---- bash --------------------------------------------------------------------------------------

std::string bash_values() {
  std::string cases;
  for (const OptionRow& row : option_table()) {
    const std::string words = choices(row.metavar);
    if (row.metavar == "FILE") {
      cases +=
          fmt::format("    --{}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", row.name);
    } else if (!words.empty()) {
      cases += fmt::format("    --{}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n",
                           row.name, words);
    } else if (row.kind != OptionKind::kSwitch) {
      cases += fmt::format("    --{}) return ;;\n", row.name);
    }
  }
  return cases;
}

std::string bash_script() {
  std::string commands = "--help --version";
  std::string words;
  for (const CommandRow& command : shown_commands()) {
    commands += ' ' + first_word(command.name);
    std::string list = command.command == Command::kConfigShow ? "show --help" : "--help";
    if (!choices(command.argument).empty()) list += ' ' + choices(command.argument);
    for (const OptionRow& row : option_table()) {
      if (takes(command, row)) list += fmt::format(" --{}", row.name);
    }
    words += fmt::format("    {}) words=\"{}\" ;;\n", first_word(command.name), list);
  }
  return fmt::format(
      "# bash completion of walpost\n"
      "_walpost() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" previous=\"${{COMP_WORDS[COMP_CWORD-1]}}\" "
      "words\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"$previous\" in\n{}  esac\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "}}\n"
      "complete -F _walpost walpost\n",
      commands, bash_values(), words);
}

// ---- zsh ---------------------------------------------------------------------------------------

// Inside '…[…]…': a bracket or colon would end the description, a quote the word.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      result += std::string("\\") + c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string zsh_option(const OptionRow& row) {
  const std::string repeat = row.kind == OptionKind::kList ? "*" : "";
  std::string value;
  if (row.kind != OptionKind::kSwitch) {
    const std::string words = choices(row.metavar);
    const std::string action =
        row.metavar == "FILE" ? "_files" : (words.empty() ? " " : fmt::format("({})", words));
    value = fmt::format(":{}:{}", zsh_text(row.metavar), action);
  }
  return fmt::format("'{}--{}[{}]{}'", repeat, row.name, zsh_text(row.help), value);
}

std::string zsh_script() {
  std::string commands;
  std::string cases;
  for (const CommandRow& command : shown_commands()) {
    commands += fmt::format("    '{}:{}'\n", first_word(command.name), zsh_text(command.summary));
    cases += fmt::format("    {}) _arguments '--help[Show the options]'", first_word(command.name));
    if (command.command == Command::kConfigShow) cases += " '1:command:(show)'";
    if (!command.argument.empty()) {
      cases += fmt::format(" '1:{}:({})'", "shell", choices(command.argument));
    }
    for (const OptionRow& row : option_table()) {
      if (takes(command, row)) cases += fmt::format(" \\\n      {}", zsh_option(row));
    }
    cases += " ;;\n";
  }
  return fmt::format(
      "#compdef walpost\n"
      "_walpost() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _walpost \"$@\"; else compdef _walpost "
      "walpost; fi\n",
      commands, cases);
}

// ---- fish --------------------------------------------------------------------------------------

std::string fish_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string fish_script() {
  std::string script =
      "# fish completion of walpost\ncomplete -c walpost -f\n"
      "complete -c walpost -n __fish_use_subcommand -l help -d 'List the commands'\n"
      "complete -c walpost -n __fish_use_subcommand -l version -d 'Show versions'\n";
  for (const CommandRow& command : shown_commands()) {
    const std::string name = first_word(command.name);
    const std::string after = fmt::format("'__fish_seen_subcommand_from {}'", name);
    script += fmt::format("complete -c walpost -n __fish_use_subcommand -a {} -d '{}'\n", name,
                          fish_text(command.summary));
    if (command.command == Command::kConfigShow) {
      script += fmt::format("complete -c walpost -n {} -a show\n", after);
    }
    if (!command.argument.empty()) {
      script +=
          fmt::format("complete -c walpost -n {} -a '{}'\n", after, choices(command.argument));
    }
    for (const OptionRow& row : option_table()) {
      if (!takes(command, row)) continue;
      script += fmt::format("complete -c walpost -n {} -l {}", after, row.name);
      if (row.flag != 0) script += fmt::format(" -s {}", row.flag);
      const std::string words = choices(row.metavar);
      if (row.kind != OptionKind::kSwitch) script += row.metavar == "FILE" ? " -r -F" : " -x";
      if (!words.empty()) script += fmt::format(" -a '{}'", words);
      script += fmt::format(" -d '{}'\n", fish_text(row.help));
    }
  }
  return script;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  throw Error(ExitCode::kUsage,
              fmt::format("completion: {}: must be one of: bash, zsh, fish", shell));
}

}  // namespace walpost
