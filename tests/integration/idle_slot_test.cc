// A quiet outbox beside busy tables: the slot follows all the same.

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

#include "database.h"
#include "postgres_server.h"
#include "walpost_process.h"

namespace walpost::test {
namespace {

class IdleSlotTest : public ::testing::TestWithParam<int> {
 protected:
  IdleSlotTest()
      : server_(PostgresServer::shared(GetParam())),
        name_(server_.create_database()),
        database_(server_.conninfo(name_)) {
    database_.exec(
        "CREATE TABLE outbox (id uuid PRIMARY KEY, aggregatetype text, aggregateid text,"
        " payload jsonb)");
    walpost_.emplace(std::vector<std::string>{"run", "--dbname", server_.conninfo(name_), "--slot",
                                              name_, "--sink", "null", "--auto-setup",
                                              "--no-http"});
    walpost_->wait_for_log("streaming");
  }

  ~IdleSlotTest() override {
    walpost_->terminate();
    database_.exec("SELECT pg_drop_replication_slot('" + name_ + "')");
  }

  void write_wal(Database& database, int megabytes) {
    database.exec("CREATE TABLE noise (x text)");
    for (int written = 0; written < megabytes; written += 64) {
      database.exec(
          "INSERT INTO noise SELECT repeat(md5(n::text), 30) FROM generate_series(1, 62000) n");
    }
  }

  // How long it took is printed; on a machine that does nothing else it is far below two seconds.
  void expect_slot_follows() {
    const auto begun = std::chrono::steady_clock::now();
    database_.wait_until_confirmed(name_);
    const auto taken = std::chrono::steady_clock::now() - begun;
    std::cout << "followed within "
              << std::chrono::duration_cast<std::chrono::milliseconds>(taken).count() << " ms\n";
  }

  PostgresServer& server_;
  std::string name_;
  Database database_;
  std::optional<WalpostProcess> walpost_;
};

TEST_P(IdleSlotTest, FollowsAGigabyteOfAnotherTable) {
  write_wal(database_, 1024);
  expect_slot_follows();
}

TEST_P(IdleSlotTest, FollowsTheWritesOfAnotherDatabase) {
  Database other(server_.conninfo(server_.create_database()));
  write_wal(other, 128);
  expect_slot_follows();
}

// 14 sends empty transactions, 15 and later send none.
INSTANTIATE_TEST_SUITE_P(OldestAndNewer, IdleSlotTest, ::testing::Values(14, 15, 18));

}  // namespace
}  // namespace walpost::test
