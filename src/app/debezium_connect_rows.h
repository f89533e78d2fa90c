#pragma once

#include <array>

#include "debezium_table.h"

namespace walpost::debezium_rows {

// Names of Kafka Connect, of its converters and of its producer. For debezium_table.cc alone.

inline constexpr auto kConnectScope = DebeziumScope::kConnector;
inline constexpr auto kV = DebeziumScope::kConverter;
inline constexpr auto kP = DebeziumScope::kProducer;
using enum DebeziumUse;

// Reasons that several rows share.
inline constexpr std::string_view kGuarantee =
    "walpost's own setting stays: its guarantee rests on it";
inline constexpr std::string_view kOwnCaps =
    "see --max-in-flight-records and --max-in-flight-bytes";

inline constexpr std::array kConverters{
    DebeziumRow{kConnectScope, "key.converter", kTogether, "key-format", "", ""},
    DebeziumRow{kConnectScope, "value.converter", kTogether, "value-format", "", ""},
    DebeziumRow{kConnectScope, "header.converter", kTogether, "header-format", "", ""},
    DebeziumRow{kV, "schemas.enable", kTogether, "", "", "with the converter"},
    DebeziumRow{kV, "schemas.cache.size", kNoEffect, "", "", "a cache of Kafka Connect's"},
    DebeziumRow{kV, "schemas.cache.config", kNoEffect, "", "", "a cache of Kafka Connect's"},
    DebeziumRow{kV, "decimal.format", kOnly, "", "BASE64",
                "walpost writes decimals in JSON as JsonConverter does by default"},
    DebeziumRow{kV, "replace.null.with.default", kOnly, "", "true",
                "walpost writes a column's default in place of NULL as JsonConverter does"},
    DebeziumRow{kV, "converter.type", kNoEffect, "", "", "Kafka Connect sets it itself"},
    DebeziumRow{kV, "converter.encoding", kOnly, "", "UTF-8|UTF8|utf-8|utf8",
                "walpost writes UTF-8"},
    DebeziumRow{kV, "delegate.converter.type", kTogether, "", "", "with the converter"},
    DebeziumRow{kV, "delegate.converter.type.schemas.enable", kTogether, "", "",
                "with the converter"},
    DebeziumRow{kV, "delegate.converter.type.*", kWarned, "", "",
                "a setting of the delegate that walpost does not know"},
};

inline constexpr std::array kProducer{
    DebeziumRow{kP, "bootstrap.servers", kText, "brokers", "", ""},
    DebeziumRow{kP, "acks", kNoEffect, "", "", kGuarantee},
    DebeziumRow{kP, "enable.idempotence", kNoEffect, "", "", kGuarantee},
    DebeziumRow{kP, "retries", kNoEffect, "", "", kGuarantee},
    DebeziumRow{kP, "delivery.timeout.ms", kNoEffect, "", "", kGuarantee},
    DebeziumRow{kP, "max.in.flight.requests.per.connection", kNoEffect, "", "", kGuarantee},
    DebeziumRow{kP, "transactional.id", kNoEffect, "", "",
                "walpost does not use Kafka transactions"},
    DebeziumRow{kP, "transaction.timeout.ms", kNoEffect, "", "",
                "walpost does not use Kafka transactions"},
    DebeziumRow{kP, "buffer.memory", kNoEffect, "", "", kOwnCaps},
    DebeziumRow{kP, "max.block.ms", kNoEffect, "", "", "see --topic-timeout"},
    DebeziumRow{kP, "partitioner.class", kOnly, "",
                "org.apache.kafka.clients.producer.internals.DefaultPartitioner",
                "walpost partitions as Java's default partitioner does"},
    DebeziumRow{kP, "partitioner.ignore.keys", kOnly, "", "false",
                "walpost keeps the events of a key on one partition"},
    DebeziumRow{kP, "partitioner.adaptive.partitioning.enable", kNoEffect, "", "",
                "of records without a key"},
    DebeziumRow{kP, "partitioner.availability.timeout.ms", kNoEffect, "", "",
                "of records without a key"},
    DebeziumRow{kP, "interceptor.classes", kOnly, "", "", "Java classes that may change records"},
    DebeziumRow{kP, "key.serializer", kNoEffect, "", "", "Kafka Connect sets it itself"},
    DebeziumRow{kP, "value.serializer", kNoEffect, "", "", "Kafka Connect sets it itself"},
    DebeziumRow{kP, "client.id", kProperty, "kafka-property", "client.id", ""},
    DebeziumRow{kP, "compression.type", kProperty, "kafka-property", "compression.type", ""},
    DebeziumRow{kP, "compression.*", kNoEffect, "", "", "librdkafka: compression.level"},
    DebeziumRow{kP, "linger.ms", kProperty, "kafka-property", "linger.ms", ""},
    DebeziumRow{kP, "batch.size", kProperty, "kafka-property", "batch.size", ""},
    DebeziumRow{kP, "max.request.size", kProperty, "kafka-property", "message.max.bytes", ""},
    DebeziumRow{kP, "request.timeout.ms", kProperty, "kafka-property", "request.timeout.ms", ""},
    DebeziumRow{kP, "metadata.max.age.ms", kProperty, "kafka-property",
                "topic.metadata.refresh.interval.ms", ""},
    DebeziumRow{kP, "connections.max.idle.ms", kProperty, "kafka-property",
                "connections.max.idle.ms", ""},
    DebeziumRow{kP, "reconnect.backoff.ms", kProperty, "kafka-property", "reconnect.backoff.ms",
                ""},
    DebeziumRow{kP, "reconnect.backoff.max.ms", kProperty, "kafka-property",
                "reconnect.backoff.max.ms", ""},
    DebeziumRow{kP, "retry.backoff.ms", kProperty, "kafka-property", "retry.backoff.ms", ""},
    DebeziumRow{kP, "send.buffer.bytes", kNoEffect, "", "", "librdkafka: socket.send.buffer.bytes"},
    DebeziumRow{kP, "receive.buffer.bytes", kNoEffect, "", "",
                "librdkafka: socket.receive.buffer.bytes"},
    DebeziumRow{kP, "socket.*", kNoEffect, "", "", "librdkafka has its own"},
    DebeziumRow{kP, "metadata.*", kNoEffect, "", "", "librdkafka has its own"},
    DebeziumRow{kP, "client.dns.lookup", kNoEffect, "", "", "librdkafka: client.dns.lookup"},
    DebeziumRow{kP, "metric*", kNoEffect, "", "", "walpost's metrics are at /metrics"},
    DebeziumRow{kP, "auto.include.jmx.reporter", kNoEffect, "", "", "of JMX"},
    DebeziumRow{kP, "enable.metrics.push", kNoEffect, "", "", "walpost's metrics are at /metrics"},
    DebeziumRow{kP, "security.protocol", kProperty, "kafka-property", "security.protocol", ""},
    DebeziumRow{kP, "sasl.mechanism", kProperty, "kafka-property", "sasl.mechanism", ""},
    DebeziumRow{kP, "sasl.jaas.config", kTogether, "kafka-property", "",
                "username and password of PlainLoginModule or ScramLoginModule, never shown"},
    DebeziumRow{kP, "sasl.*", kWarned, "", "", "librdkafka has its own, given with -X"},
    DebeziumRow{kP, "ssl.endpoint.identification.algorithm", kTogether, "kafka-property", "",
                "the empty text is librdkafka's none"},
    DebeziumRow{kP, "ssl.truststore.certificates", kProperty, "kafka-property", "ssl.ca.pem", ""},
    DebeziumRow{
        kP, "ssl.truststore.location", kTogether, "kafka-property", "",
        "ssl.ca.location where ssl.truststore.type is PEM; else librdkafka needs a PEM file, "
        "given with -X ssl.ca.location"},
    DebeziumRow{kP, "ssl.truststore.*", kNoEffect, "", "", "of a Java trust store"},
    DebeziumRow{kP, "ssl.keystore.certificate.chain", kProperty, "kafka-property",
                "ssl.certificate.pem", ""},
    DebeziumRow{kP, "ssl.keystore.key", kProperty, "kafka-property", "ssl.key.pem", "never shown"},
    DebeziumRow{kP, "ssl.key.password", kProperty, "kafka-property", "ssl.key.password",
                "never shown"},
    DebeziumRow{
        kP, "ssl.keystore.location", kTogether, "kafka-property", "",
        "ssl.keystore.location where ssl.keystore.type is PKCS12; else librdkafka needs PEM "
        "files, given with -X ssl.certificate.location and -X ssl.key.location"},
    DebeziumRow{kP, "ssl.keystore.password", kTogether, "kafka-property", "",
                "with ssl.keystore.location, never shown"},
    DebeziumRow{kP, "ssl.keystore.type", kTogether, "", "", "with ssl.keystore.location"},
    DebeziumRow{kP, "ssl.*", kNoEffect, "", "",
                "of Java's TLS; librdkafka has its own, given with -X"},
};

inline constexpr std::array kTopics{
    DebeziumRow{kConnectScope, "topic.creation.default.partitions", kTogether, "topic-partitions",
                "", "with --topic-creation create"},
    DebeziumRow{kConnectScope, "topic.creation.default.replication.factor", kTogether,
                "topic-replication-factor", "", "with --topic-creation create"},
    DebeziumRow{kConnectScope, "topic.creation.default.include", kNoEffect, "", "",
                "the default group takes every topic"},
    DebeziumRow{kConnectScope, "topic.creation.default.exclude", kNoEffect, "", "",
                "the default group takes every topic"},
    DebeziumRow{kConnectScope, "topic.creation.default.*", kTogether, "topic-config", "",
                "a setting of the topic"},
    DebeziumRow{kConnectScope, "topic.creation.enable", kNoEffect, "", "", "of the worker"},
    DebeziumRow{kConnectScope, "topic.creation.groups", kOnly, "topic-creation", "",
                "walpost makes all topics alike; make those of a group beforehand and give "
                "--topic-creation"},
    DebeziumRow{kConnectScope, "topic.creation.*", kNoEffect, "", "",
                "of a group; see topic.creation.groups"},
};

inline constexpr std::array kConnect{
    DebeziumRow{kConnectScope, "transforms", kTogether, "", "",
                "the outbox event router alone; any other transformation is refused"},
    DebeziumRow{kConnectScope, "predicates", kTogether, "", "", "see the router's predicate"},
    DebeziumRow{kConnectScope, "name", kNoEffect, "", "", "the connector's name in Kafka Connect"},
    DebeziumRow{kConnectScope, "connector.plugin.version", kNoEffect, "", "", "of Kafka Connect"},
    DebeziumRow{kConnectScope, "tasks.max", kNoEffect, "", "", "the connector has one task"},
    DebeziumRow{kConnectScope, "tasks.max.enforce", kNoEffect, "", "",
                "the connector has one task"},
    DebeziumRow{kConnectScope, "config.action.reload", kNoEffect, "", "", "of Kafka Connect"},
    DebeziumRow{kConnectScope, "config.providers*", kNoEffect, "", "", "of the worker"},
    DebeziumRow{kConnectScope, "errors.tolerance", kOnlyElseWarned, "", "none",
                "with all, Kafka Connect loses records that it cannot convert; walpost does as "
                "--on-undeliverable says"},
    DebeziumRow{kConnectScope, "errors.*", kNoEffect, "", "", "walpost logs and retries by itself"},
    DebeziumRow{kConnectScope, "exactly.once.support", kOnlyElseWarned, "", "requested",
                "walpost delivers at least once: after a crash records may come again; "
                "--position-headers lets consumers leave them out"},
    DebeziumRow{kConnectScope, "transaction.boundary*", kNoEffect, "", "",
                "walpost does not use Kafka transactions"},
    DebeziumRow{kConnectScope, "consumer.override.*", kNoEffect, "", "", "nothing is consumed"},
    DebeziumRow{kConnectScope, "admin.override.*", kNoEffect, "", "", "see --kafka-property"},
    DebeziumRow{kConnectScope, "initial_state", kNoEffect, "", "", "of Kafka Connect"},
};

}  // namespace walpost::debezium_rows
