#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "database.h"
#include "kafka_consumer.h"

namespace walpost::test {

// Writers with a history that can be checked afterwards. Each transaction takes up to 50 keys in
// ascending order and, for each, raises the key's counter under its row lock and inserts an outbox
// row that carries it: the order of a key's counters is the order of its commits. One transaction
// in ten is rolled back, one in five has a savepoint with rows that is rolled back, and each
// writes to a table that is not published.
class Workload final {
 public:
  static constexpr int kKeys = 1000;

  // Creates the tables `outbox`, `counters` and `noise`, and the function, in the database.
  explicit Workload(std::string conninfo);
  ~Workload();

  // Starts `writers` connections that write until the sequence of ids has reached `rows`.
  void start(int writers, std::int64_t rows);
  // From now on a writer whose connection breaks connects again and goes on.
  void survive_outages() { survive_outages_ = true; }
  // Waits for them, and throws what one of them threw.
  void finish();
  // The newest id that was taken, committed or not.
  [[nodiscard]] std::int64_t last_id() const { return last_id_; }

 private:
  void write(unsigned seed, std::int64_t rows);
  void write_transaction(Database& database, std::mt19937& random);

  std::string conninfo_;
  bool survive_outages_ = false;
  std::atomic<std::int64_t> last_id_{0};
  std::vector<std::jthread> writers_;
  std::vector<std::string> failures_;
};

// Compares what arrived with what the workload committed.
struct WorkloadReport {
  std::int64_t committed = 0;
  std::int64_t delivered = 0;        // records, repeats included
  std::int64_t repeated = 0;         // records whose id had arrived before
  std::int64_t missing = 0;          // committed ids that never arrived
  std::int64_t invented = 0;         // ids that arrived and were not committed
  std::int64_t out_of_order = 0;     // first occurrences that are not the key's next counter
  std::int64_t wrong_partition = 0;  // a key on more than one partition
};

[[nodiscard]] WorkloadReport check_workload(const std::string& conninfo,
                                            const std::string& bootstrap, const std::string& topic);

}  // namespace walpost::test
