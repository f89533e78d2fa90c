#include "kafka_properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>

#include "walpost/error.h"

namespace walpost {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class KafkaPropertiesTest : public testing::Test {
 protected:
  void TearDown() override {
    if (!settings_.config_file.empty()) {
      std::remove(settings_.config_file.c_str());
    }
  }

  void set(std::string name, std::string value) {
    settings_.properties.emplace_back(std::move(name), std::move(value));
  }
  void write_file(const std::string& text) {
    std::array<char, 32> path{"/tmp/walpost_kafka_XXXXXX"};
    const int file = mkstemp(path.data());
    ASSERT_GE(file, 0);
    close(file);
    settings_.config_file = path.data();
    std::ofstream(settings_.config_file) << text;
  }
  ProducerConf make(TopicCreation creation = TopicCreation::kBroker) const {
    return make_producer_conf(settings_, creation);
  }
  std::string value(const char* name) const { return conf_value(make().conf, name); }
  // The usage error of these settings.
  Error error() const {
    try {
      static_cast<void>(make());
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), ExitCode::kUsage);
      return error;
    }
    ADD_FAILURE() << "nothing was refused";
    return Error(ExitCode::kOk, "");
  }

  KafkaSettings settings_{.brokers = "a:9092", .properties = {}, .config_file = {}};
};

TEST_F(KafkaPropertiesTest, DesignSettingsAreSet) {
  EXPECT_EQ(value("enable.idempotence"), "true");
  EXPECT_EQ(value("enable.gapless.guarantee"), "true");
  EXPECT_EQ(value("acks"), "-1");
  EXPECT_EQ(value("message.timeout.ms"), "0");
  EXPECT_EQ(value("partitioner"), "murmur2_random");
  EXPECT_EQ(value("linger.ms"), "1");
  EXPECT_EQ(value("bootstrap.servers"), "a:9092");
  EXPECT_EQ(value("queue.buffering.max.messages"), "2147483647");
  EXPECT_EQ(value("queue.buffering.max.kbytes"), "2147483647");
}

TEST_F(KafkaPropertiesTest, OnlyTheBrokersWayOfCreationLetsMetadataCreateTopics) {
  EXPECT_EQ(conf_value(make(TopicCreation::kBroker).conf, "allow.auto.create.topics"), "true");
  EXPECT_EQ(conf_value(make(TopicCreation::kCreate).conf, "allow.auto.create.topics"), "false");
  EXPECT_EQ(conf_value(make(TopicCreation::kNever).conf, "allow.auto.create.topics"), "false");
}

TEST_F(KafkaPropertiesTest, PropertyBeatsFileAndFileBeatsOurs) {
  write_file("# comment\n\n linger.ms = 7 \r\ncompression.type=lz4\n");
  EXPECT_EQ(value("linger.ms"), "7");
  EXPECT_EQ(value("compression.type"), "lz4");
  set("linger.ms", "9");
  EXPECT_EQ(value("linger.ms"), "9");
}

struct Refused {
  const char* name;
  const char* value;
  const char* why;
};

class ProtectedPropertyTest : public KafkaPropertiesTest,
                              public testing::WithParamInterface<Refused> {};

TEST_P(ProtectedPropertyTest, IsRefusedWithTheReason) {
  set(GetParam().name, GetParam().value);
  const Error refused = error();
  EXPECT_THAT(refused.what(), StartsWith(std::string("--kafka-property: ") + GetParam().name + "=" +
                                         GetParam().value + ": "));
  EXPECT_THAT(refused.what(), HasSubstr(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(
    KafkaProperties, ProtectedPropertyTest,
    testing::Values(Refused{"enable.idempotence", "false", "idempotent producer"},
                    Refused{"enable.gapless.guarantee", "false", "gapless guarantee"},
                    Refused{"acks", "1", "acks=all"}, Refused{"acks", "0", "acks=all"},
                    Refused{"request.required.acks", "1", "acks=all"},
                    Refused{"message.timeout.ms", "30000", "leaves a hole"},
                    Refused{"delivery.timeout.ms", "30000", "leaves a hole"},
                    Refused{"partitioner", "consistent_random", "murmur2_random"},
                    Refused{"partitioner", "murmur2", "murmur2_random"},
                    Refused{"transactional.id", "x", "transactions"},
                    Refused{"delivery.report.only.error", "true", "report of every delivery"},
                    Refused{"retries", "0", "retries"},
                    Refused{"message.send.max.retries", "0", "retries"},
                    Refused{"max.in.flight", "6", "at most 5"},
                    Refused{"max.in.flight.requests.per.connection", "1000", "at most 5"},
                    Refused{"queuing.strategy", "lifo", "fifo"},
                    Refused{"allow.auto.create.topics", "true", "--topic-creation"},
                    Refused{"sticky.partitioning.linger.ms", "5", "chooses the partition"},
                    Refused{"dr_msg_cb", "x", "by a program's code"},
                    Refused{"dr_cb", "x", "by a program's code"},
                    Refused{"test.mock.num.brokers", "3", "without keeping them"}));

TEST_F(KafkaPropertiesTest, ProtectedPropertyWithOurValueIsAccepted) {
  set("enable.idempotence", "true");
  set("acks", "-1");
  set("acks", "all");
  set("message.timeout.ms", "0");
  set("partitioner", "murmur2_random");
  set("max.in.flight", "1");
  set("retries", "100");
  set("delivery.report.only.error", "false");
  EXPECT_EQ(value("max.in.flight"), "1");
  EXPECT_TRUE(make().warnings.empty());
}

TEST_F(KafkaPropertiesTest, UnknownPropertyIsRefusedWithTheNearestName) {
  set("compresion.type", "lz4");
  EXPECT_STREQ(error().what(),
               "--kafka-property: compresion.type=lz4: librdkafka has no such property");
  EXPECT_EQ(error().hint(), "did you mean compression.type?");
  settings_.properties = {{"sasl.pasword", "hunter2"}};
  EXPECT_EQ(error().hint(), "did you mean sasl.password?");
  settings_.properties = {{"qqqqqqqqqqqqqqqqqqqqqq", "1"}};
  EXPECT_EQ(error().hint(), "");
}

TEST_F(KafkaPropertiesTest, BadValueIsRefusedInLibrdkafkasWords) {
  set("linger.ms", "ture");
  EXPECT_THAT(error().what(), HasSubstr("--kafka-property: linger.ms=ture: Invalid value"));
}

TEST_F(KafkaPropertiesTest, NoTextShowsASecret) {
  for (const char* name :
       {"sasl.password", "ssl.key.password", "ssl.key.pem", "ssl.keystore.password",
        "sasl.oauthbearer.client.secret", "sasl.oauthbearer.config"}) {
    EXPECT_TRUE(is_secret_property(name)) << name;
  }
  EXPECT_FALSE(is_secret_property("sasl.username"));
  EXPECT_FALSE(is_secret_property("ssl.ca.location"));
  set("ssl.key.passwords", "hunter2");
  EXPECT_THAT(error().what(), HasSubstr("ssl.key.passwords=***: "));
  EXPECT_THAT(error().what(), Not(HasSubstr("hunter2")));
  settings_.properties.clear();
  write_file("sasl.password hunter2\n");
  EXPECT_THAT(error().what(), Not(HasSubstr("hunter2")));
}

TEST_F(KafkaPropertiesTest, FileIsNamedWithItsLine) {
  write_file("# first\nlinger.ms=1\nacks=1\n");
  EXPECT_THAT(error().what(),
              StartsWith("--kafka-config: " + settings_.config_file + ":3: acks=1: "));
}

TEST_F(KafkaPropertiesTest, UnreadableFileIsRefused) {
  settings_.config_file = "/nonexistent/kafka.properties";
  EXPECT_STREQ(error().what(),
               "--kafka-config: /nonexistent/kafka.properties: No such file or directory");
  settings_.config_file.clear();
}

TEST_F(KafkaPropertiesTest, BrokersComeOnceOrAgree) {
  set("bootstrap.servers", "b:9092");
  EXPECT_STREQ(error().what(),
               "--kafka-property: bootstrap.servers=b:9092: contradicts --brokers a:9092");
  settings_.brokers = "a:9092,b:9092";
  settings_.properties = {{"metadata.broker.list", "b:9092, a:9092"}};
  EXPECT_EQ(value("bootstrap.servers"), "a:9092,b:9092");
  settings_.brokers.clear();
  EXPECT_EQ(value("bootstrap.servers"), "b:9092, a:9092");
  settings_.properties.clear();
  EXPECT_STREQ(error().what(), "--brokers: no Kafka broker is given");
}

TEST_F(KafkaPropertiesTest, VerificationMayBeTurnedOffWithAWarning) {
  set("enable.ssl.certificate.verification", "false");
  set("ssl.endpoint.identification.algorithm", "none");
  EXPECT_THAT(make().warnings, ElementsAre(HasSubstr("certificate is not verified"),
                                           HasSubstr("the name in the broker's certificate")));
}

}  // namespace
}  // namespace walpost
