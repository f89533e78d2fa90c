#include "quoting.h"

#include <gtest/gtest.h>

#include <array>

#include "walpost/quote_identifier.h"

namespace walpost {
namespace {

TEST(Quoting, IdentifiersAreAlwaysQuotedAndKeepTheirCase) {
  EXPECT_EQ(quote_identifier("outbox"), R"("outbox")");
  EXPECT_EQ(quote_identifier("Domain Events"), R"("Domain Events")");
  EXPECT_EQ(quote_identifier(R"(a"b)"), R"("a""b")");
  EXPECT_EQ(quote_identifier(R"(x"; DROP TABLE t; --)"), R"("x""; DROP TABLE t; --")");
}

TEST(Quoting, LiteralsDoubleQuotes) {
  EXPECT_EQ(quote_literal("it's"), "'it''s'");
  EXPECT_EQ(quote_literal(""), "''");
}

TEST(Quoting, BackslashesDoNotDependOnStandardConformingStrings) {
  EXPECT_EQ(quote_literal(R"(a\'b)"), R"( E'a\\''b')");
}

TEST(Quoting, TheReplicationGrammarKnowsNoEscapes) {
  EXPECT_EQ(quote_replication_literal(R"(a\b'c)"), R"('a\b''c')");
}

TEST(Quoting, PublicationNamesNeitherFoldNorSplit) {
  const std::array<std::string, 2> names = {"My,Pub-1", R"(odd"name)"};
  EXPECT_EQ(publication_names(names), R"("My,Pub-1","odd""name")");
}

TEST(Quoting, ShellWordsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(quote_shell("walpost"), "walpost");
  EXPECT_EQ(quote_shell("host=db dbname=app"), "'host=db dbname=app'");
  EXPECT_EQ(quote_shell(R"("My"."Table")"), R"('"My"."Table"')");
  EXPECT_EQ(quote_shell("it's"), R"('it'\''s')");
  EXPECT_EQ(quote_shell(""), "''");
}

}  // namespace
}  // namespace walpost
