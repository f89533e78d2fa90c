#include "walpost/relation_cache.h"

#include <gmock/gmock.h>

#include "wire/thrown.h"

namespace walpost {
namespace {

using testing::HasSubstr;

class RelationCacheTest : public testing::Test {
 protected:
  void announce(std::uint32_t relid, const std::string& nspname, const std::string& relname,
                const std::string& column = "id", bool has_columns = false) {
    cache_.replace({.relid = Oid{relid},
                    .nspname = nspname,
                    .relname = relname,
                    .columns = {{.name = column, .type_oid = Oid{25}}}},
                   has_columns);
  }
  RelationCache::OutboxTable* table(std::uint32_t relid) { return cache_.outbox_table(Oid{relid}); }

  RelationCache cache_{{{"public", "outbox"}, {"Shop", "Out.Box"}}};
};

TEST_F(RelationCacheTest, KnowsTheOutboxTablesByTheirExactNames) {
  announce(1, "public", "outbox");
  announce(2, "Shop", "Out.Box");
  announce(3, "shop", "out.box");
  announce(4, "other", "outbox");
  announce(5, "public", "Outbox");
  EXPECT_NE(table(1), nullptr);
  EXPECT_NE(table(2), nullptr);
  EXPECT_EQ(table(3), nullptr);
  EXPECT_EQ(table(4), nullptr);
  EXPECT_EQ(table(5), nullptr);
}

TEST_F(RelationCacheTest, KeepsColumnsOfOutboxTablesOnly) {
  announce(1, "public", "outbox", "payload");
  announce(2, "public", "orders");
  EXPECT_EQ(table(1)->relation.columns[0].name, "payload");
  EXPECT_EQ(table(2), nullptr);
}

TEST_F(RelationCacheTest, TheLatestAnnouncementWins) {
  announce(1, "public", "outbox", "old");
  table(1)->columns = OutboxMapper::Plan{};
  announce(1, "public", "outbox", "new");
  EXPECT_EQ(table(1)->relation.columns[0].name, "new");
  EXPECT_FALSE(table(1)->columns) << "the plan was made for the old columns";
}

TEST_F(RelationCacheTest, ARenamedTableIsNoOutboxAnyMore) {
  announce(1, "public", "outbox");
  EXPECT_NE(table(1), nullptr);
  EXPECT_EQ(cache_.renamed(Oid{1}), nullptr);
  announce(1, "public", "outbox_old");
  EXPECT_EQ(table(1), nullptr);
  cache_.clear();
  announce(1, "public", "outbox_older");
  ASSERT_NE(cache_.renamed(Oid{1}), nullptr) << "another connection is no reason to forget";
  EXPECT_EQ(cache_.renamed(Oid{1})->was.relname, "outbox");
  EXPECT_EQ(cache_.renamed(Oid{1})->now.relname, "outbox_older");
  announce(1, "public", "outbox");
  EXPECT_EQ(cache_.renamed(Oid{1}), nullptr);
  announce(2, "public", "orders");
  announce(2, "public", "orders_old");
  EXPECT_EQ(cache_.renamed(Oid{2}), nullptr);
}

TEST_F(RelationCacheTest, AnswersStayRightWhileManyAreAdded) {
  announce(1, "public", "outbox");
  table(1)->columns = OutboxMapper::Plan{.table = "kept"};
  for (std::uint32_t relid = 2; relid < 2'000; ++relid) announce(relid, "public", "t");
  EXPECT_EQ(table(1)->columns.value().table, "kept");
  EXPECT_EQ(table(1'999), nullptr);
}

TEST_F(RelationCacheTest, ATableWithTheColumnsOfAnOutboxIsSettledByItsPartitionRoot) {
  announce(1, "public", "outbox_1", "id", true);
  announce(2, "public", "orders_1", "id", true);
  ASSERT_TRUE(table(1)->is_candidate);
  cache_.settle(Oid{1}, {"public", "outbox"});
  cache_.settle(Oid{2}, {"", ""});
  EXPECT_FALSE(table(1)->is_candidate);
  EXPECT_EQ(table(2), nullptr);
}

TEST_F(RelationCacheTest, ARelationThatWasNotAnnouncedIsRefused) {
  announce(1, "public", "outbox");
  const Error error = thrown([&] { return table(2); });
  EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
  EXPECT_THAT(error.what(), HasSubstr("2 was not announced"));
}

TEST_F(RelationCacheTest, ANewConnectionKnowsNothing) {
  announce(1, "public", "outbox");
  (void)table(1);
  cache_.clear();
  (void)thrown([&] { return table(1); });
}

}  // namespace
}  // namespace walpost
