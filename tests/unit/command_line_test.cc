#include "command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "walpost/error.h"
#include "walpost/nearest_name.h"

namespace walpost {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class CommandLineTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  void set_environment(std::string variable) { environment_.push_back(std::move(variable)); }

  // The path of a file with this text.
  std::string file(const std::string& text) {
    std::ofstream(file_) << text;
    return file_;
  }

  CommandLine parse(std::vector<std::string> arguments) {
    return parse_command_line(arguments, environment_);
  }
  Options run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    return parse(std::move(arguments)).options;
  }

  // "what | hint" of the refusal.
  std::string refusal(std::vector<std::string> arguments) {
    try {
      static_cast<void>(parse(std::move(arguments)));
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), ExitCode::kUsage);
      return std::string(error.what()) + " | " + error.hint();
    }
    return "taken";
  }

  const Setting& setting(const CommandLine& line, std::string_view name) {
    for (const Setting& setting : line.settings) {
      if (setting.row->name == name) return setting;
    }
    throw std::out_of_range(std::string(name));
  }

  std::string file_ = testing::TempDir() + "walpost_options_" + std::to_string(::getpid());
  std::vector<std::string> environment_ = {"HOME=/root"};
};

TEST_F(CommandLineTest, DefaultsNeedNoOption) {
  const Options options = run({});
  EXPECT_EQ(options.slot, "walpost");
  EXPECT_THAT(options.tables, ElementsAre(TableName{"public", "outbox"}));
  EXPECT_EQ(options.drain_timeout, milliseconds(25'000));
  EXPECT_FALSE(options.http_asked_for);
}

TEST_F(CommandLineTest, FlagsInAllTheirForms) {
  const Options options =
      run({"-d", "host=db user=w", "-Sone", "--publication=p", "--table", "a", "--table=b.c", "-X",
           "security.protocol=SSL", "-Xssl.ca.location=/ca=1", "--auto-setup"});
  EXPECT_EQ(options.conninfo, "host=db user=w");
  EXPECT_EQ(options.slot, "one");
  EXPECT_EQ(options.publication, "p");
  EXPECT_THAT(options.tables, ElementsAre(TableName{"public", "a"}, TableName{"b", "c"}));
  EXPECT_THAT(options.kafka_properties, ElementsAre(Property{"security.protocol", "SSL"},
                                                    Property{"ssl.ca.location", "/ca=1"}));
  EXPECT_TRUE(options.auto_setup);
}

TEST_F(CommandLineTest, EmptyValueIsAValueAndEatsNothing) {
  EXPECT_EQ(run({"--route-topic-regex=", "--slot", "s"}).router.route_topic_regex, "");
  EXPECT_EQ(run({"--route-topic-regex", "", "--slot", "s"}).slot, "s");
  EXPECT_THAT(refusal({"run", "--slot=", "--publication", "p"}), HasSubstr("--slot: : "));
}

TEST_F(CommandLineTest, BracesAndBracketsInValuesAreLeftAlone) {
  EXPECT_EQ(run({"--route-topic-regex", "[a,b]"}).router.route_topic_regex, "[a,b]");
  EXPECT_EQ(run({"--route-topic-replacement", "{}"}).router.route_topic_replacement, "{}");
}

TEST_F(CommandLineTest, FlagBeatsEnvironmentBeatsFileBeatsDefault) {
  const std::string path =
      file("slot = \"of_file\"\npublication = 'of_file'\nrole = of_file\ntable = [\"x\", \"y\"]\n");
  set_environment("WALPOST_SLOT=of_env");
  set_environment("WALPOST_PUBLICATION=of_env");
  set_environment("WALPOST_CONFIG=" + path);
  const CommandLine line = parse({"run", "--slot", "of_flag"});
  EXPECT_EQ(line.options.slot, "of_flag");
  EXPECT_EQ(line.options.publication, "of_env");
  EXPECT_EQ(line.options.role, "of_file");
  EXPECT_THAT(line.options.tables, ElementsAre(TableName{"public", "x"}, TableName{"public", "y"}));
  EXPECT_EQ(setting(line, "slot").origin, "flag");
  EXPECT_EQ(setting(line, "publication").origin, "environment");
  EXPECT_EQ(setting(line, "role").origin, "file " + path);
  EXPECT_EQ(setting(line, "drain-timeout").origin, "default");
}

TEST_F(CommandLineTest, FlagTurnsOffASwitchOfTheEnvironment) {
  set_environment("WALPOST_AUTO_SETUP=true");
  EXPECT_TRUE(run({}).auto_setup);
  EXPECT_FALSE(run({"--auto-setup=false"}).auto_setup);
  EXPECT_THAT(refusal({"run", "--auto-setup=no"}),
              HasSubstr("--auto-setup: no: must be true or false"));
}

TEST_F(CommandLineTest, RepeatableOptionIsOnePerLineInTheEnvironment) {
  set_environment("WALPOST_KAFKA_PROPERTY=a=1\nb=x y,z\n");
  EXPECT_THAT(run({}).kafka_properties, ElementsAre(Property{"a", "1"}, Property{"b", "x y,z"}));
}

TEST_F(CommandLineTest, SwitchesOfTheEnvironmentAreStrictlyTrueOrFalse) {
  set_environment("WALPOST_NO_HTTP=1");
  EXPECT_THAT(refusal({"run"}),
              HasSubstr("--no-http: 1: must be true or false | set by the environment variable "
                        "WALPOST_NO_HTTP"));
}

TEST_F(CommandLineTest, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(refusal({"run", "--slto", "x"}), "unknown option --slto | did you mean --slot?");
  EXPECT_EQ(refusal({"run", "--slto=x"}), "unknown option --slto | did you mean --slot?");
  EXPECT_EQ(refusal({"run", "--quite-another"}),
            "unknown option --quite-another | walpost run --help shows all options");
  EXPECT_EQ(refusal({"rnu"}), "unknown command rnu | did you mean run?");
  EXPECT_THAT(refusal({"run", "--config", file("slto = x")}),
              HasSubstr("unknown key slto | did you mean slot?"));
  EXPECT_THAT(refusal({"run", "--config", file("[run]\nslot = x")}),
              HasSubstr("unknown key run.slot"));
  set_environment("WALPOST_SLTO=x");
  EXPECT_EQ(refusal({"run"}),
            "unknown environment variable WALPOST_SLTO | did you mean WALPOST_SLOT?");
}

TEST_F(CommandLineTest, VariablesOfAKubernetesServiceAreIgnored) {
  set_environment("WALPOST_SERVICE_HOST=10.0.0.1");
  set_environment("WALPOST_PORT=tcp://10.0.0.1:9633");
  set_environment("WALPOST_PORT_9633_TCP=tcp://10.0.0.1:9633");
  EXPECT_EQ(run({}).slot, "walpost");
}

TEST_F(CommandLineTest, KnownOptionOfAnotherCommandIsNotCalledUnknown) {
  EXPECT_EQ(refusal({"run", "--json"}),
            "--json is no option of walpost run | it belongs to: check, status");
  EXPECT_EQ(refusal({"teardown", "-b", "h:1"}),
            "--brokers is no option of walpost teardown | it belongs to: run, check, config show");
}

TEST_F(CommandLineTest, OptionsOfOtherCommandsInTheEnvironmentDoNoHarm) {
  set_environment("WALPOST_BROKERS=h:1");
  EXPECT_EQ(parse({"teardown"}).options.brokers, "h:1");
}

TEST_F(CommandLineTest, NoArgumentThatMayHoldAPasswordIsRepeated) {
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"run", "--dbname", "host=db", "password=sesame"},
                                             {"run", "postgresql://me:sesame@db/shop"},
                                             {"postgresql://me:sesame@db/shop"},
                                             {"password=sesame", "run"},
                                             {"--dbname=password=sesame", "run"},
                                             {"run", "--dbnam=password=sesame"},
                                             {"-dpassword=sesame", "run"}}) {
    EXPECT_THAT(refusal(arguments), Not(HasSubstr("sesame"))) << arguments.front();
  }
  EXPECT_THAT(refusal({"run", "--dbname", "host=db", "password=sesame"}),
              HasSubstr("unexpected argument: password=…"));
}

TEST_F(CommandLineTest, MistypedCommandLines) {
  EXPECT_THAT(refusal({}), HasSubstr("no command is given"));
  EXPECT_THAT(refusal({"--slot", "x", "run"}), HasSubstr("a command comes before --slot"));
  EXPECT_THAT(refusal({"config"}), HasSubstr("unknown command config | did you mean config show?"));
  EXPECT_THAT(refusal({"run", "stray"}), HasSubstr("unexpected argument: stray"));
  EXPECT_THAT(refusal({"run", "--slot"}), HasSubstr("--slot: a value is missing"));
  EXPECT_THAT(refusal({"run", "--slot", "a", "--slot", "b"}),
              HasSubstr("--slot is given more than once"));
  EXPECT_THAT(refusal({"completion"}), HasSubstr("bash|zsh|fish is missing"));
}

TEST_F(CommandLineTest, BadValueNamesOptionValueAndReason) {
  EXPECT_THAT(refusal({"run", "--drain-timeout", "5"}),
              HasSubstr("--drain-timeout: 5: the unit is missing; a duration is"));
  EXPECT_THAT(refusal({"run", "--on-undeliverable", "dead-letter"}),
              HasSubstr("--on-undeliverable: dead-letter: this version knows only stop"));
  EXPECT_THAT(refusal({"run", "--sink", "rabbit"}),
              HasSubstr("--sink: rabbit: must be one of: kafka, stdout, null"));
  EXPECT_THAT(refusal({"run", "--slot", "My-Slot"}), HasSubstr("--slot: My-Slot: a slot's name"));
}

TEST_F(CommandLineTest, BadValueOfASecretIsNotPrinted) {
  set_environment("WALPOST_KAFKA_PROPERTY=hunter2");
  const std::string text = refusal({"run"});
  EXPECT_THAT(text, HasSubstr("--kafka-property: ********: must be KEY=VALUE"));
  EXPECT_THAT(text, testing::Not(HasSubstr("hunter2")));
}

TEST_F(CommandLineTest, HashInsideQuotesIsNoComment) {
  const std::string path = file(
      "# all of it\n; and so\n\ndbname = \"password=a#b,c\" # one\nkafka-property = [\n"
      "  \"sasl.password=x#y\", # two\n  'k=v'\n]\n");
  const Options options = run({"--config", path});
  EXPECT_EQ(options.conninfo, "password=a#b,c");
  EXPECT_THAT(options.kafka_properties,
              ElementsAre(Property{"sasl.password", "x#y"}, Property{"k", "v"}));
}

TEST_F(CommandLineTest, FileThatWouldBeMisreadIsRefused) {
  EXPECT_THAT(refusal({"run", "--config", file("slot = \"a\n")}),
              HasSubstr("line 1: a \" is not closed"));
  EXPECT_THAT(refusal({"run", "--config", file("slot = s\ntable = [\"a\",\n\"b\"\n")}),
              HasSubstr("line 2: a [ is not closed"));
  EXPECT_THAT(refusal({"run", "--config", file("x=\n")}), HasSubstr("line 1: must be KEY = VALUE"));
  EXPECT_THAT(refusal({"run", "--config", file("slot\n")}),
              HasSubstr("line 1: must be KEY = VALUE"));
  EXPECT_THAT(refusal({"run", "--config", file("dbname = host=a user=b\n")}),
              HasSubstr("dbname takes one value | a value with blanks or commas goes into quotes"));
  EXPECT_THAT(refusal({"run", "--config", file("slot = a\nrole = b\nslot = c\n")}),
              HasSubstr("slot is there more than once"));
  EXPECT_THAT(refusal({"run", "--config", file("config = a\n")}),
              HasSubstr("a file cannot name another one"));
}

TEST_F(CommandLineTest, FileThatCannotBeReadIsRefused) {
  EXPECT_THAT(refusal({"run", "--config", file_ + ".absent"}),
              HasSubstr("--config: " + file_ + ".absent: No such file"));
  EXPECT_THAT(refusal({"run", "--config", testing::TempDir()}), HasSubstr("Is a directory"));
}

TEST_F(CommandLineTest, EmptyFileIsAFile) {
  EXPECT_EQ(run({"--config", file("")}).slot, "walpost");
  EXPECT_EQ(run({"--config", file("\xef\xbb\xbfslot = a\r\n")}).slot, "a");
}

TEST_F(CommandLineTest, HelpIsAnsweredEvenWhereAnotherOptionIsWrong) {
  const CommandLine line = parse({"status", "--slto", "--help"});
  EXPECT_EQ(line.request, CommandLine::Request::kHelp);
  EXPECT_EQ(line.command, Command::kStatus);
  EXPECT_EQ(parse({"--version"}).request, CommandLine::Request::kVersion);
}

TEST_F(CommandLineTest, LeadingCommandIsKnownWhereTheRestIsWrong) {
  const std::vector<std::string> arguments = {"status", "--slto"};
  ASSERT_NE(leading_command(arguments), nullptr);
  EXPECT_EQ(leading_command(arguments)->command, Command::kStatus);
}

class DebeziumConfigFileTest : public CommandLineTest {
 protected:
  // A connector that walpost takes, with these lines after it.
  std::string connector(const std::string& more = {}) {
    return file(
        "connector.class=io.debezium.connector.postgresql.PostgresConnector\n"
        "plugin.name=pgoutput\nsnapshot.mode=no_data\n"
        "database.hostname=db\ndatabase.user=u\ndatabase.password=s3cret\n"
        "database.dbname=shop\ntopic.prefix=srv\ntable.include.list=public.events\n"
        "key.converter=org.apache.kafka.connect.storage.StringConverter\n"
        "value.converter=org.apache.kafka.connect.storage.StringConverter\n"
        "transforms=outbox\n"
        "transforms.outbox.type=io.debezium.transforms.outbox.EventRouter\n" +
        more);
  }
  static DebeziumVerdict verdict(const CommandLine& line, std::string_view name) {
    for (const DebeziumEntry& entry : line.debezium_entries) {
      if (entry.name == name) return entry.verdict;
    }
    throw std::out_of_range(std::string(name));
  }
};

TEST_F(DebeziumConfigFileTest, ItsEntriesAreTheOriginOfOptions) {
  const CommandLine line = parse({"run", "--debezium-config", connector()});
  EXPECT_EQ(line.options.slot, "debezium");
  EXPECT_EQ(line.options.tables, (std::vector<TableName>{{"public", "events"}}));
  EXPECT_TRUE(line.options.extended_headers_enabled);
  EXPECT_EQ(line.options.router.record_timestamp, RecordTimestamp::kNow);
  EXPECT_EQ(setting(line, "table").origin, "debezium-config " + file_ + ": table.include.list");
  EXPECT_EQ(setting(line, "sink").origin, "default");
}

TEST_F(DebeziumConfigFileTest, FlagAndEnvironmentBeatIt) {
  set_environment("WALPOST_PUBLICATION=p");
  const CommandLine line = parse({"run", "--debezium-config", connector(), "--slot", "mine"});
  EXPECT_EQ(line.options.slot, "mine");
  EXPECT_EQ(line.options.publication, "p");
  EXPECT_EQ(verdict(line, "slot.name"), DebeziumVerdict::kOverridden);
  EXPECT_EQ(verdict(line, "publication.name"), DebeziumVerdict::kOverridden);
}

TEST_F(DebeziumConfigFileTest, TheFileOfConfigBeatsItAndMayNameIt) {
  const std::string config = file_ + ".toml";
  std::ofstream(config) << "slot = \"mine\"\ndebezium-config = \"" << connector() << "\"\n";
  const CommandLine line = parse({"run", "--config", config});
  std::filesystem::remove(config);
  EXPECT_EQ(line.options.slot, "mine");
  EXPECT_EQ(line.options.publication, "dbz_publication");
}

TEST_F(DebeziumConfigFileTest, WhatItCannotHonourIsRefusedButListedByCheck) {
  const std::string path = connector("provide.transaction.metadata=true\nconverters=isbn\n");
  const std::string text = refusal({"run", "--debezium-config", path});
  EXPECT_THAT(text, HasSubstr("provide.transaction.metadata = true: walpost sends no records about"
                              " transactions"));
  EXPECT_THAT(text, HasSubstr("(and 1 more) | walpost check --debezium-config"));
  const CommandLine line = parse({"check", "--debezium-config", path});
  EXPECT_EQ(verdict(line, "converters"), DebeziumVerdict::kRefused);
}

TEST_F(DebeziumConfigFileTest, AFlagSettlesWhatWouldBeRefused) {
  const std::string path = connector("table.include.list=public.outbox_.*\n");
  EXPECT_THAT(refusal({"run", "--debezium-config", path}), HasSubstr("--table"));
  EXPECT_EQ(refusal({"run", "--debezium-config", path, "--table", "outbox_1"}), "taken");
}

TEST_F(DebeziumConfigFileTest, ItsPasswordIsNotShown) {
  const CommandLine line = parse({"config", "show", "--debezium-config", connector()});
  const Setting& dbname = setting(line, "dbname");
  EXPECT_THAT(dbname.texts.front(), HasSubstr("password=s3cret"));
  EXPECT_THAT(dbname.row->mask(dbname.texts.front()), Not(HasSubstr("s3cret")));
}

TEST(NearestNameTest, SuggestsOnlyWhatIsNear) {
  const std::vector<std::string> names = {"--slot", "--sink", "--table"};
  EXPECT_EQ(nearest_name("--solt", names), "--slot");
  EXPECT_EQ(nearest_name("--tabel", names), "--table");
  EXPECT_EQ(nearest_name("--tab", names), "--table");
  EXPECT_EQ(nearest_name("--s", names), std::nullopt);
  EXPECT_EQ(nearest_name("--completely", names), std::nullopt);
}

}  // namespace
}  // namespace walpost
