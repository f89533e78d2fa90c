#include "connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

namespace walpost {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// What libpq reads beside the conninfo, for the time of one test.
class Environment final {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() { ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

std::string refusal_of(const std::string& conninfo) {
  try {
    (void)resolve_conninfo(conninfo);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::kUsage);
    return error.what();
  }
  return "accepted";
}

TEST(Conninfo, KeywordsAndUrisAreReadAsPsqlReadsThem) {
  const auto keywords = resolve_conninfo("host=db,db2 port=5433 dbname=app user=u sslmode=require");
  EXPECT_EQ(keywords.host, "db,db2");
  EXPECT_EQ(keywords.port, "5433");
  EXPECT_EQ(keywords.dbname, "app");
  EXPECT_EQ(keywords.user, "u");
  EXPECT_EQ(keywords.sslmode, "require");
  const auto uri =
      resolve_conninfo("postgresql://u:a%40b%23c%25d%2Fe%3Af@db:5433/app?options=-c%20x%3D1");
  EXPECT_EQ(uri.host, "db");
  EXPECT_EQ(uri.dbname, "app");
  EXPECT_EQ(uri.options, "-c x=1");
  EXPECT_EQ(resolve_conninfo("app").dbname, "app");
}

TEST(Conninfo, EnvironmentAndServiceFileCount) {
  const Environment options("PGOPTIONS", "-c lock_timeout=5s");
  EXPECT_EQ(resolve_conninfo("host=db").options, "-c lock_timeout=5s");
  const std::string path = ::testing::TempDir() + "walpost_pg_service.conf";
  std::ofstream(path) << "[prod]\nhost=from-service\noptions=-c lock_timeout=7s\n";
  const Environment file("PGSERVICEFILE", path);
  const auto settings = resolve_conninfo("service=prod");
  EXPECT_EQ(settings.host, "from-service");
  EXPECT_EQ(settings.options, "-c lock_timeout=7s");
}

TEST(Conninfo, TheOperatorsOwnTargetSessionAttrsDoNotMatterHere) {
  EXPECT_EQ(resolve_conninfo("host=a,b target_session_attrs=read-write").host, "a,b");
}

TEST(Conninfo, ARefusalNeverEchoesThePassword) {
  for (const auto* conninfo : {"postgresql://u:se%zzcret@db/app", "host=db password=se'cret cret",
                               "host=db password='secret", "postgresql://u:p@[secret/app",
                               "host=db secret=secret", "host=db secret"}) {
    const auto refusal = refusal_of(conninfo);
    EXPECT_THAT(refusal, StartsWith("--dbname: ")) << conninfo;
    EXPECT_THAT(refusal, Not(HasSubstr("cret"))) << conninfo;
  }
}

TEST(Conninfo, IsShownWithoutSecrets) {
  EXPECT_EQ(conninfo_without_secrets("host=db user=u password=secret dbname=app"),
            "user=u dbname=app host=db");
  EXPECT_EQ(conninfo_without_secrets("postgresql://u:secret@db:5433/app"),
            "user=u dbname=app host=db port=5433");
  EXPECT_EQ(conninfo_without_secrets("dbname='it''s'"), "");
  EXPECT_EQ(conninfo_without_secrets("dbname='a b'"), "dbname='a b'");
  EXPECT_EQ(conninfo_without_secrets("app"), "app");
  EXPECT_EQ(conninfo_without_secrets(""), "");
}

TEST(SessionOptions, PinWhatChangesTheTextOfValuesAfterTheOperatorsOwn) {
  const auto options = session_options("-c datestyle=German", {});
  EXPECT_THAT(options, HasSubstr(" -c datestyle=German -c datestyle=ISO"));
  for (const auto* setting :
       {"timezone=UTC", "intervalstyle=postgres", "bytea_output=hex", "extra_float_digits=3"}) {
    EXPECT_THAT(options, HasSubstr(std::string("-c ") + setting));
  }
  EXPECT_THAT(options, Not(HasSubstr("logical_decoding_work_mem")));
}

TEST(SessionOptions, WorkMemIsInWholeKilobytes) {
  EXPECT_THAT(session_options("", {.logical_decoding_work_mem_bytes = 2'000'000'001}),
              HasSubstr("logical_decoding_work_mem=1953126kB"));
}

TEST(SessionOptions, TimeOutsOfApplicationsDoNotCountThoseOfTheConninfoDo) {
  EXPECT_THAT(session_options("-c statement_timeout=9s", {}),
              StartsWith("-c statement_timeout=0 -c statement_timeout=9s -c datestyle=ISO"));
  // Before 17 the name is unknown, and the login would be refused for it.
  EXPECT_THAT(session_options("", {}), Not(HasSubstr("transaction_timeout")));
  EXPECT_THAT(session_options("", {.has_transaction_timeout = true}),
              HasSubstr("-c transaction_timeout=0"));
}

}  // namespace
}  // namespace walpost
