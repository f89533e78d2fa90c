#include "options_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "command_config_show.h"
#include "command_line.h"
#include "completion.h"
#include "help_text.h"
#include "walpost/error.h"

namespace walpost {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(OptionsPageTest, FileInTheTreeIsUpToDate) {
  std::ifstream file(WALPOST_SOURCE_DIR "/docs/OPTIONS.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), options_page())
      << "docs/OPTIONS.md is stale: walpost options-page > docs/OPTIONS.md";
}

TEST(OptionsPageTest, BarsInsideCellsAreEscaped) {
  EXPECT_THAT(options_page(), HasSubstr("| `--sink kafka\\|stdout\\|null` | `kafka` |"));
}

TEST(ManPageTest, NamesEveryOptionAndNoHiddenCommand) {
  const std::string page = man_page();
  for (const OptionRow& row : option_table()) {
    std::string name = "\\-\\-";
    for (const char c : row.name) name += c == '-' ? std::string("\\-") : std::string(1, c);
    EXPECT_THAT(page, HasSubstr(name));
  }
  EXPECT_THAT(page, Not(HasSubstr("options\\-page")));
}

TEST(HelpTextTest, CommandShowsItsOptionsAndNoOthers) {
  const std::string text = command_help_text(Command::kTeardown);
  EXPECT_THAT(text, HasSubstr("\n  --yes\n"));
  EXPECT_THAT(text, HasSubstr("\n  -S, --slot NAME\n"));
  EXPECT_THAT(text, Not(HasSubstr("--sink")));
}

TEST(HelpTextTest, LinesAreShortEnoughToRead) {
  for (const CommandRow& command : command_table()) {
    std::istringstream lines(command_help_text(command.command));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(CompletionTest, EveryShellKnowsEveryOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = completion_script(shell);
    for (const OptionRow& row : option_table()) {
      EXPECT_THAT(script, HasSubstr(std::string(row.name))) << shell;
    }
  }
  EXPECT_THROW(static_cast<void>(completion_script("csh")), Error);
}

CommandLine config_show(std::vector<std::string> flags, std::vector<std::string> environment = {}) {
  flags.insert(flags.begin(), {"config", "show"});
  return parse_command_line(flags, environment);
}

TEST(ConfigShowTest, NamesValueAndOrigin) {
  const CommandLine line =
      config_show({"--slot", "s", "-X", "a=1", "-X", "b=2"}, {"WALPOST_AUTO_SETUP=true"});
  const std::string text = config_show_text(line.settings);
  EXPECT_THAT(text, HasSubstr("slot = \"s\"  # flag\n"));
  EXPECT_THAT(text, HasSubstr("kafka-property = [\"a=1\", \"b=2\"]  # flag\n"));
  EXPECT_THAT(text, HasSubstr("auto-setup = true  # environment\n"));
  EXPECT_THAT(text, HasSubstr("# publication = \"walpost\"  # default\n"));
  EXPECT_THAT(text, HasSubstr("# brokers is not set  # default\n"));
  EXPECT_THAT(text, Not(HasSubstr("print-sql")));
}

TEST(ConfigShowTest, SecretsAreMasked) {
  const CommandLine line =
      config_show({"-d", "host=h password=hunter2", "-X", "sasl.password=hunter2"});
  const std::string text = config_show_text(line.settings);
  EXPECT_THAT(text, Not(HasSubstr("hunter2")));
  EXPECT_THAT(text, HasSubstr("kafka-property = [\"sasl.password=********\"]"));
}

}  // namespace
}  // namespace walpost
