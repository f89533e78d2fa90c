// docs/ARCHITECTURE.md: core <- pg, core <- kafka, all <- app. CMake's include directories refuse
// our own headers against that direction; Debian puts most libraries' headers where every compiler
// looks, so theirs are checked here.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace walpost {
namespace {

struct Include {
  std::string file;
  std::string header;
};

std::vector<Include> includes_under(const std::string& directory) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(WALPOST_SOURCE_DIR) / directory)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cc") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (std::regex_search(line, match, kInclude)) found.push_back({entry.path(), match[1]});
    }
  }
  return found;
}

void expect_no_include(const std::string& directory, const std::string& pattern) {
  const auto includes = includes_under(directory);
  ASSERT_FALSE(includes.empty()) << directory;
  for (const auto& include : includes) {
    EXPECT_FALSE(std::regex_search(include.header, std::regex(pattern)))
        << include.file << " includes " << include.header;
  }
}

TEST(LayersTest, PublicHeadersIncludeOnlyTheStandardLibraryFmtAndThemselves) {
  for (const auto& include : includes_under("include/walpost")) {
    const bool allowed = std::regex_match(include.header, std::regex("[a-z_]+|walpost/.*|fmt/.*"));
    EXPECT_TRUE(allowed) << include.file << " includes " << include.header;
  }
}

TEST(LayersTest, CoreKnowsNoServer) {
  expect_no_include("src/core", "libpq|rdkafka|httplib|prometheus|CLI|rapidjson|spdlog|sys/socket");
}

TEST(LayersTest, PostgresLayerKnowsNoKafka) { expect_no_include("src/pg", "rdkafka|CLI|httplib"); }

TEST(LayersTest, KafkaLayerKnowsNoPostgres) { expect_no_include("src/kafka", "libpq|CLI|httplib"); }

TEST(LayersTest, AppUsesTheClientLibrariesThroughTheirLayersOnly) {
  expect_no_include("src/app", "libpq-fe|librdkafka/");
}

}  // namespace
}  // namespace walpost
