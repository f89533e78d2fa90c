#include "wanted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "findings_text.h"
#include "kafka_findings.h"
#include "validate_options.h"
#include "walpost/error.h"

namespace walpost {
namespace {

using testing::HasSubstr;

std::string refusal(const Options& options) {
  try {
    validate_for_streaming(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::kUsage);
    return error.what();
  }
  return "taken";
}

TEST(WantedTest, WantedNamesEachColumnWithItsOption) {
  Options options;
  options.columns.event_timestamp = "created_at";
  const Wanted wanted = wanted_of(options);
  ASSERT_EQ(wanted.columns.size(), 5U);
  EXPECT_EQ(wanted.columns[0].option, "--table-field-event-id");
  EXPECT_EQ(wanted.columns[4].column, "created_at");
  EXPECT_EQ(wanted.shown_dbname, "");
}

TEST(WantedTest, HintsNeverShowAPassword) {
  Options options;
  options.conninfo = "host=db password=hunter2";
  EXPECT_THAT(wanted_of(options).shown_dbname, testing::Not(HasSubstr("hunter2")));
  EXPECT_THAT(wanted_of(options).shown_dbname, HasSubstr("db"));
}

TEST(ValidateOptionsTest, KafkaNeedsBrokersFromSomewhere) {
  Options options;
  EXPECT_THAT(refusal(options), HasSubstr("--brokers"));
  options.kafka_properties = {{"bootstrap.servers", "h:1"}};
  EXPECT_EQ(refusal(options), "taken");
  options.kafka_properties.clear();
  options.sink = SinkKind::kNull;
  EXPECT_EQ(refusal(options), "taken");
}

TEST(ValidateOptionsTest, PropertyThatTheGuaranteeRestsOnIsRefused) {
  Options options;
  options.brokers = "h:1";
  options.kafka_properties = {{"acks", "1"}};
  EXPECT_THAT(refusal(options), HasSubstr("acks"));
}

TEST(ValidateOptionsTest, WhatCannotBeUsedIsRefusedBeforeConnecting) {
  Options options;
  options.sink = SinkKind::kNull;
  options.router.route_topic_regex = "(";
  EXPECT_THAT(refusal(options), HasSubstr("route-topic-regex"));
  options.router.route_topic_regex = "(?<routedByValue>.*)";
  options.conninfo = "hst=db";
  EXPECT_THAT(refusal(options), HasSubstr("--dbname"));
}

const std::vector<Finding> kFindings = {
    {Severity::kError, "no slot", "nothing streams", "walpost setup\nor another"},
    {Severity::kWarning, "no limit", "the disk", ""}};

TEST(FindingsTextTest, EachHasItsReasonAndWhatMendsIt) {
  EXPECT_EQ(findings_text(kFindings),
            "error    no slot\n"
            "         nothing streams\n"
            "         mend it with:\n"
            "           walpost setup\n"
            "           or another\n"
            "warning  no limit\n"
            "         the disk\n"
            "\n"
            "1 error, 1 warning: run would refuse to start\n");
  EXPECT_EQ(findings_text({}), "no errors, 0 warnings: run can start\n");
}

TEST(FindingsTextTest, WhatRunWaitsForIsNoRefusal) {
  EXPECT_THAT(findings_text(kFindings, RunOutlook::kWaits),
              HasSubstr("1 error, 1 warning: run would start, but could not deliver\n"));
}

TEST(KafkaFindingsTest, OnlyAMissingTopicMayMendItself) {
  Options options;
  options.topic_creation = TopicCreation::kBroker;
  const TopicReport missing{.name = "t",
                            .is_usable = false,
                            .is_missing = true,
                            .partition_count = 0,
                            .problem = "UNKNOWN_TOPIC_OR_PART",
                            .hint = "kafka-topics.sh"};
  EXPECT_EQ(finding_of(missing, options).severity, Severity::kWarning);
  options.topic_creation = TopicCreation::kNever;
  EXPECT_EQ(finding_of(missing, options).severity, Severity::kError);
  options.topic_creation = TopicCreation::kCreate;
  TopicReport refused = missing;
  refused.is_missing = false;
  refused.problem = "TOPIC_AUTHORIZATION_FAILED";
  const Finding finding = finding_of(refused, options);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.what, "topic t: TOPIC_AUTHORIZATION_FAILED");
  EXPECT_THAT(finding.why, HasSubstr("exit code 6"));
}

TEST(FindingsTextTest, Json) {
  EXPECT_THAT(
      findings_json(kFindings),
      HasSubstr("{\"ok\":false,\"findings\":[{\"severity\":\"error\",\"what\":\"no slot\","));
  EXPECT_EQ(findings_json({}), "{\"ok\":true,\"findings\":[]}\n");
}

}  // namespace
}  // namespace walpost
