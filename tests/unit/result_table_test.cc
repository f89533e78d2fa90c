#include "result_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "server_state.h"
#include "slot_status.h"

namespace walpost {
namespace {

using ::testing::HasSubstr;

std::string refusal_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
    EXPECT_FALSE(error.is_retryable());
    EXPECT_NE(error.hint(), "");
    return error.what();
  }
  return "accepted";
}

const ResultTable kTable{.columns = {"a", "n"}, .rows = {{"x", std::nullopt}, {"0/1A", "7"}}};

TEST(ResultTable, ValuesAreReadAsTheirKind) {
  EXPECT_EQ(kTable.text(0, "a"), "x");
  EXPECT_EQ(kTable.number(1, "n"), 7);
  EXPECT_EQ(kTable.lsn(1, "a"), Lsn(0x1A));
  const ResultTable flags{.columns = {"f"}, .rows = {{"t"}, {"f"}}};
  EXPECT_TRUE(flags.flag(0, "f"));
  EXPECT_FALSE(flags.flag(1, "f"));
}

TEST(ResultTable, NullIsEmptyAndNoError) {
  EXPECT_EQ(kTable.text(0, "n"), "");
  EXPECT_FALSE(kTable.flag(0, "n"));
  EXPECT_EQ(kTable.number(0, "n"), std::nullopt);
  EXPECT_EQ(kTable.lsn(0, "n"), std::nullopt);
}

TEST(ResultTable, WhatThePeerLeftOutIsRefusedByName) {
  EXPECT_THAT(refusal_of([] { (void)kTable.text(0, "b"); }), HasSubstr("no column b"));
  EXPECT_THAT(refusal_of([] { (void)kTable.text(2, "a"); }), HasSubstr("no row 3 with a"));
  const ResultTable ragged{.columns = {"a", "b"}, .rows = {{"x"}}};
  EXPECT_THAT(refusal_of([&] { (void)ragged.text(0, "b"); }), HasSubstr("no row 1 with b"));
  EXPECT_THAT(refusal_of([] { (void)result_at({}, 0); }), HasSubstr("no result 1 of 0"));
}

TEST(ResultTable, AValueOfAnotherKindIsRefusedByName) {
  EXPECT_THAT(refusal_of([] { (void)kTable.number(0, "a"); }),
              HasSubstr("a is not a whole number"));
  EXPECT_THAT(refusal_of([] { (void)kTable.lsn(0, "a"); }), HasSubstr("a is not an LSN"));
  EXPECT_THAT(refusal_of([] { (void)kTable.flag(0, "a"); }), HasSubstr("a is not a boolean"));
}

TEST(ResultTable, AnOrdinalIsOneThatWasAskedFor) {
  EXPECT_EQ(ordinal_at(kTable, 1, "n", 8), 7u);
  EXPECT_THAT(refusal_of([] { (void)ordinal_at(kTable, 1, "n", 7); }), HasSubstr("n is not"));
  EXPECT_THAT(refusal_of([] { (void)ordinal_at(kTable, 0, "n", 7); }), HasSubstr("n is not"));
}

TEST(ResultTable, AnAnswerWithoutResultsIsNoServerState) {
  EXPECT_THAT(refusal_of([] { (void)parse_server_state({}, Wanted{}); }), HasSubstr("no result"));
  EXPECT_THAT(refusal_of([] { (void)parse_slot_status({}, Wanted{}); }), HasSubstr("no result"));
}

}  // namespace
}  // namespace walpost
