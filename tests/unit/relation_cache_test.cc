#include "walpost/relation_cache.h"

#include <gmock/gmock.h>

#include "wire/thrown.h"

namespace walpost {
namespace {

using testing::HasSubstr;

class RelationCacheTest : public testing::Test {
 protected:
  void announce(std::uint32_t relid, const std::string& nspname, const std::string& relname,
                const std::string& column = "id") {
    cache_.replace({.relid = Oid{relid},
                    .nspname = nspname,
                    .relname = relname,
                    .columns = {{.name = column, .type_oid = Oid{25}}}});
  }
  RelationCache::Entry& at(std::uint32_t relid) { return cache_.at(Oid{relid}); }

  RelationCache cache_{{{"public", "outbox"}, {"Shop", "Out.Box"}}};
};

TEST_F(RelationCacheTest, KnowsTheOutboxTablesByTheirExactNames) {
  announce(1, "public", "outbox");
  announce(2, "Shop", "Out.Box");
  announce(3, "shop", "out.box");
  announce(4, "other", "outbox");
  announce(5, "public", "Outbox");
  EXPECT_TRUE(at(1).is_outbox);
  EXPECT_TRUE(at(2).is_outbox);
  EXPECT_FALSE(at(3).is_outbox);
  EXPECT_FALSE(at(4).is_outbox);
  EXPECT_FALSE(at(5).is_outbox);
}

TEST_F(RelationCacheTest, KeepsColumnsOfOutboxTablesOnly) {
  announce(1, "public", "outbox", "payload");
  announce(2, "public", "orders");
  EXPECT_EQ(at(1).relation.value().columns[0].name, "payload");
  EXPECT_FALSE(at(2).relation);
}

TEST_F(RelationCacheTest, TheLatestAnnouncementWins) {
  announce(1, "public", "outbox", "old");
  at(1).plan = OutboxMapper::Plan{};
  announce(1, "public", "outbox", "new");
  EXPECT_EQ(at(1).relation.value().columns[0].name, "new");
  EXPECT_FALSE(at(1).plan) << "the plan was made for the old columns";
}

TEST_F(RelationCacheTest, ARenamedTableIsNoOutboxAnyMore) {
  announce(1, "public", "outbox");
  EXPECT_TRUE(at(1).is_outbox);
  announce(1, "public", "outbox_old");
  EXPECT_FALSE(at(1).is_outbox);
}

TEST_F(RelationCacheTest, AnswersStayRightWhileManyAreAdded) {
  announce(1, "public", "outbox");
  at(1).plan = OutboxMapper::Plan{.table = "kept"};
  for (std::uint32_t relid = 2; relid < 2'000; ++relid) announce(relid, "public", "t");
  EXPECT_EQ(at(1).plan.value().table, "kept");
  EXPECT_FALSE(at(1'999).is_outbox);
}

TEST_F(RelationCacheTest, ARelationThatWasNotAnnouncedIsRefused) {
  announce(1, "public", "outbox");
  const Error error = thrown([&] { return &at(2); });
  EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
  EXPECT_THAT(error.what(), HasSubstr("2 was not announced"));
}

TEST_F(RelationCacheTest, ANewConnectionKnowsNothing) {
  announce(1, "public", "outbox");
  (void)at(1);
  cache_.clear();
  (void)thrown([&] { return &at(1); });
}

}  // namespace
}  // namespace walpost
