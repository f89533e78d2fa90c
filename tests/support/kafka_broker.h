#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "child_process.h"
#include "poll_until.h"
#include "scratch.h"

namespace walpost::test {

// A real Kafka in KRaft mode, of one node or of several, each broker and controller at once, on
// 127.0.0.1 and with data directories of its own. Throws std::runtime_error when Kafka or Java is
// missing or does not do what it is told: a test that needs it then fails.
class KafkaBroker final {
 public:
  using Properties = std::vector<std::pair<std::string, std::string>>;

  // Formats the nodes and starts them. `properties` go into server.properties after our own.
  explicit KafkaBroker(const Properties& properties = {}, int node_count = 1);
  KafkaBroker(const KafkaBroker&) = delete;
  KafkaBroker& operator=(const KafkaBroker&) = delete;
  ~KafkaBroker() = default;

  // The single-node broker that all tests of this process share, started by the first of them.
  // A test that stops it starts it again.
  [[nodiscard]] static KafkaBroker& shared();

  // Starts the nodes that do not run, on their ports and with their data, and waits until all are
  // up.
  void start();
  // SIGTERM to all nodes, and waits for their end.
  void stop();
  // SIGKILL to all nodes.
  void kill();
  // SIGSTOP and SIGCONT to all nodes.
  void pause();
  void resume();
  // The same for one node; `node` counts from 0. `start` brings it back.
  void stop_node(int node);
  void kill_node(int node);
  void pause_node(int node);
  void resume_node(int node);

  // Creates a topic, replicated to every node, and returns once all its partitions have leaders.
  void create_topic(const std::string& name, int partitions, const Properties& configs = {});
  void delete_topic(const std::string& name);
  // Replaces what was set on the topic; what is not named is back at the broker's default.
  void set_topic_configs(const std::string& name, const Properties& configs);

  // For bootstrap.servers.
  [[nodiscard]] std::string bootstrap() const;
  [[nodiscard]] const std::filesystem::path& log_file(int node = 0) const;

 private:
  struct Node {
    std::uint16_t port;
    std::uint16_t controller_port;
    std::filesystem::path properties_file;
    std::filesystem::path log_file;
    std::unique_ptr<ChildProcess> process;
  };

  [[nodiscard]] Node& at(int node) { return nodes_.at(static_cast<std::size_t>(node)); }
  void write_properties(std::size_t index, const Properties& properties);
  static void launch(Node& node);
  static void wait_started(Node& node, std::size_t log_offset);
  static void wait_ended(Node& node);

  ScratchDirectory scratch_;
  std::vector<Node> nodes_;
};

}  // namespace walpost::test
