#include "pg_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walpost {
namespace {

using ::testing::HasSubstr;

Error error_of(const std::string& sqlstate) {
  return to_error(PgErrorFields{.sqlstate = sqlstate, .message = "the message"});
}

TEST(PgError, RefusedLoginsAreASetupThatIsWrong) {
  for (const auto* sqlstate : {"28P01", "28000", "3D000", "42501", "08P01"}) {
    EXPECT_EQ(error_of(sqlstate).exit_code(), ExitCode::kPostgresSetup) << sqlstate;
    EXPECT_FALSE(error_of(sqlstate).is_retryable()) << sqlstate;
    EXPECT_NE(error_of(sqlstate).hint(), "") << sqlstate;
  }
}

TEST(PgError, AServerThatStartsOrStopsOrIsFullIsTriedAgain) {
  for (const auto* sqlstate : {"57P01", "57P02", "57P03", "53300", "08006", "58030", "XX000", ""}) {
    EXPECT_TRUE(error_of(sqlstate).is_retryable()) << sqlstate;
    EXPECT_EQ(error_of(sqlstate).exit_code(), ExitCode::kPostgresUnreachable) << sqlstate;
  }
}

TEST(PgError, WhereNoServerAnswersTheHintSaysWhereToLook) {
  EXPECT_THAT(error_of("").hint(), HasSubstr("--dbname"));
}

TEST(PgError, AServerThatGoesDuringAStatementIsTriedAgain) {
  const auto error = with_statement(error_of("57P01"), "SELECT 1");
  EXPECT_TRUE(error.is_retryable());
  EXPECT_THAT(error.what(), HasSubstr("SELECT 1: the message"));
  EXPECT_FALSE(with_statement(error_of("42501"), "SELECT 1").is_retryable());
}

TEST(PgError, AnActiveSlotIsWaitedForAndIsNoOutage) {
  EXPECT_TRUE(error_of("55006").is_retryable());
  EXPECT_EQ(error_of("55006").exit_code(), ExitCode::kPostgresSetup);
}

TEST(PgError, ALostSlotAndAMissingPublicationAreNotTriedAgain) {
  EXPECT_FALSE(error_of("55000").is_retryable());
  EXPECT_FALSE(error_of("42704").is_retryable());
}

TEST(PgError, NoWalSendersAtAllIsNoMatterOfTime) {
  const auto error = to_error(PgErrorFields{
      .sqlstate = "53300",
      .message = "number of requested standby connections exceeds max_wal_senders (currently 0)"});
  EXPECT_FALSE(error.is_retryable());
  EXPECT_THAT(error.hint(), HasSubstr("max_wal_senders = 10"));
}

TEST(PgError, TheServersDetailAndSqlstateAreTold) {
  const auto error = to_error(
      PgErrorFields{.sqlstate = "57P01", .message = "the message", .detail = "the detail"});
  EXPECT_STREQ(error.what(), "the message (the detail) [SQLSTATE 57P01]");
}

TEST(PgError, TheSqlstateOfALoginStandsInLibpqsText) {
  const auto fields = parse_login_error(
      "connection to server at \"127.0.0.1\", port 5432 failed: FATAL:  28P01: password "
      "authentication failed for user \"app\"\nLOCATION:  auth_failed, auth.c:331\n");
  EXPECT_EQ(fields.sqlstate, "28P01");
  EXPECT_EQ(fields.message,
            "connection to server at \"127.0.0.1\", port 5432 failed: FATAL:  password "
            "authentication failed for user \"app\"");
}

TEST(PgError, ATranslatedSeverityIsReadToo) {
  EXPECT_EQ(parse_login_error("Verbindung fehlgeschlagen: FATAL:  3D000: Datenbank »x« existiert "
                              "nicht\nORT:  InitPostgres, postinit.c:941\n")
                .sqlstate,
            "3D000");
}

TEST(PgError, OfSeveralHostsTheLastOneCounts) {
  const auto fields = parse_login_error(
      "connection to server at \"a\" failed: FATAL:  57P03: the database system is starting up\n"
      "DETAIL:  of the first\n"
      "connection to server at \"b\" failed: FATAL:  28000: no pg_hba.conf entry\n");
  EXPECT_EQ(fields.sqlstate, "28000");
  EXPECT_EQ(fields.detail, "");
}

TEST(PgError, WithoutASqlstateTheWholeTextIsOneLine) {
  const auto fields = parse_login_error(
      "connection to server at \"a\", port 1 failed: Connection refused\n\tIs the server running "
      "on that host?\n");
  EXPECT_EQ(fields.sqlstate, "");
  EXPECT_EQ(fields.message,
            "connection to server at \"a\", port 1 failed: Connection refused; Is the server "
            "running on that host?");
}

TEST(PgError, FiveLettersInAMessageAreNoSqlstate) {
  EXPECT_EQ(parse_login_error("FATAL:  ERROR in the words").sqlstate, "");
  EXPECT_EQ(parse_login_error("FATAL:  abcde: in lower case").sqlstate, "");
}

}  // namespace
}  // namespace walpost
