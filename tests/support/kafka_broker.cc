#include "kafka_broker.h"

#include <signal.h>

#include <fstream>
#include <stdexcept>

#include "free_port.h"
#include "kafka_admin.h"

namespace walpost::test {
namespace {

constexpr const char* kClusterId = "d2FscG9zdC10ZXN0cy0wMQ";

ChildOptions java(const std::string& main_class, const std::vector<std::string>& arguments,
                  const std::filesystem::path& log_file) {
  const std::filesystem::path jars = servers_directory() / "kafka";
  if (!std::filesystem::exists(jars)) {
    throw std::runtime_error("no Kafka in " + jars.string() + "; scripts/lib/servers provides it");
  }
  // The serial collector and the first compiler only: a broker that starts fast and leaves the
  // cores to what is tested.
  std::vector<std::string> argv{"java",
                                "-Xmx320m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                                "-cp",
                                (jars / "*").string(),
                                main_class};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return {.argv = argv, .stdout_file = log_file, .stderr_file = log_file};
}

}  // namespace

KafkaBroker::KafkaBroker(const Properties& properties, int node_count) {
  for (int i = 0; i < node_count; ++i) {
    const std::string name = "node-" + std::to_string(i);
    nodes_.push_back({.port = free_port(),
                      .controller_port = free_port(),
                      .properties_file = scratch_.path() / (name + ".properties"),
                      .log_file = new_log_file("kafka-" + name),
                      .process = nullptr});
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    write_properties(i, properties);
    run_to_success(java("kafka.tools.StorageTool",
                        {"format", "-t", kClusterId, "-c", nodes_[i].properties_file.string()},
                        nodes_[i].log_file),
                   kPatience);
  }
  start();
}

KafkaBroker& KafkaBroker::shared() {
  static KafkaBroker broker;
  return broker;
}

void KafkaBroker::write_properties(std::size_t index, const Properties& properties) {
  const Node& node = nodes_[index];
  const auto address = [](std::uint16_t port) { return "127.0.0.1:" + std::to_string(port); };
  std::string voters;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    voters +=
        (i == 0 ? "" : ",") + std::to_string(i + 1) + "@" + address(nodes_[i].controller_port);
  }
  const std::string replicas = std::to_string(nodes_.size());
  std::ofstream out(node.properties_file);
  out << "process.roles=broker,controller\n"
      << "node.id=" << index + 1 << "\n"
      << "controller.quorum.voters=" << voters << "\n"
      << "listeners=PLAINTEXT://" << address(node.port) << ",CONTROLLER://"
      << address(node.controller_port) << "\n"
      << "advertised.listeners=PLAINTEXT://" << address(node.port) << "\n"
      << "controller.listener.names=CONTROLLER\n"
      << "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT\n"
      << "log.dirs=" << (scratch_.path() / ("data-" + std::to_string(index))).string()
      << "\n"
      // A killed node is let in again only when its old session has ended.
      << "broker.session.timeout.ms=4000\n"
      << "broker.heartbeat.interval.ms=500\n"
      << "default.replication.factor=" << replicas << "\n"
      << "offsets.topic.replication.factor=" << replicas << "\n"
      << "transaction.state.log.replication.factor=" << replicas << "\n"
      << "offsets.topic.num.partitions=1\n"
      << "transaction.state.log.num.partitions=1\n";
  for (const auto& [name, value] : properties) out << name << "=" << value << "\n";
}

void KafkaBroker::launch(Node& node) {
  node.process = std::make_unique<ChildProcess>(
      java("kafka.Kafka", {node.properties_file.string()}, node.log_file));
}

void KafkaBroker::wait_started(Node& node, std::size_t log_offset) {
  poll_until("Kafka starts", kPatience, [&] {
    const bool running = node.process->running();
    if (read_file(node.log_file).find("Kafka Server started", log_offset) != std::string::npos) {
      return true;
    }
    if (!running) throw std::runtime_error("Kafka did not start" + log_tail(node.log_file));
    return false;
  });
}

void KafkaBroker::start() {
  std::vector<std::pair<Node*, std::size_t>> launched;
  for (Node& node : nodes_) {
    if (node.process) continue;
    launched.emplace_back(&node, read_file(node.log_file).size());
    launch(node);
  }
  for (const auto& [node, log_offset] : launched) wait_started(*node, log_offset);
  KafkaAdmin(bootstrap()).wait_for_brokers(nodes_.size());
}

void KafkaBroker::wait_ended(Node& node) {
  static_cast<void>(node.process->wait_exit(kPatience));
  node.process.reset();
}

void KafkaBroker::stop() {
  // All first: the last of a quorum would wait for the others in vain.
  for (Node& node : nodes_) {
    if (node.process) node.process->signal(SIGTERM);
  }
  for (Node& node : nodes_) {
    if (node.process) wait_ended(node);
  }
}

void KafkaBroker::kill() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) kill_node(static_cast<int>(i));
}

void KafkaBroker::pause() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) pause_node(static_cast<int>(i));
}

void KafkaBroker::resume() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) resume_node(static_cast<int>(i));
}

void KafkaBroker::stop_node(int node) {
  at(node).process->signal(SIGTERM);
  wait_ended(at(node));
}

void KafkaBroker::kill_node(int node) {
  if (!at(node).process) return;
  at(node).process->signal(SIGKILL);
  wait_ended(at(node));
}

void KafkaBroker::pause_node(int node) { at(node).process->signal(SIGSTOP); }

void KafkaBroker::resume_node(int node) { at(node).process->signal(SIGCONT); }

void KafkaBroker::create_topic(const std::string& name, int partitions, const Properties& configs) {
  KafkaAdmin(bootstrap())
      .create_topic(name, {.partitions = partitions,
                           .replication_factor = static_cast<int>(nodes_.size()),
                           .configs = configs});
}

void KafkaBroker::delete_topic(const std::string& name) {
  KafkaAdmin(bootstrap()).delete_topic(name);
}

void KafkaBroker::set_topic_configs(const std::string& name, const Properties& configs) {
  KafkaAdmin(bootstrap()).set_topic_configs(name, configs);
}

std::string KafkaBroker::bootstrap() const {
  std::string servers;
  for (const Node& node : nodes_) {
    servers += (servers.empty() ? "" : ",") + ("127.0.0.1:" + std::to_string(node.port));
  }
  return servers;
}

const std::filesystem::path& KafkaBroker::log_file(int node) const {
  return nodes_.at(static_cast<std::size_t>(node)).log_file;
}

}  // namespace walpost::test
