// Every vector through walpost: the records are Debezium's, or what the vector says instead.

#include "replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace walpost::test {
namespace {

class ReplayTest : public ::testing::TestWithParam<Vector> {
 protected:
  static void SetUpTestSuite() { replay_ = std::make_unique<Replay>(); }
  static void TearDownTestSuite() { replay_.reset(); }

  static std::unique_ptr<Replay> replay_;
};

std::unique_ptr<Replay> ReplayTest::replay_;

// For `adopt`, which makes a difference that is meant part of the vector.
void keep(const Vector& vector, const Replayed& replayed) {
  const auto folder = std::filesystem::path(WALPOST_SOURCE_DIR) / "build/conformance/replayed";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / (vector.id + ".json")) << as_json(replayed) << "\n";
}

TEST_P(ReplayTest, GivesWhatTheVectorSays) {
  const Replayed replayed = replay_->run(GetParam());
  const std::string wrong = deviation(GetParam(), replayed);
  EXPECT_TRUE(wrong.empty()) << wrong;
  if (!wrong.empty()) keep(GetParam(), replayed);
}

std::string test_name(const ::testing::TestParamInfo<Vector>& info) {
  std::string name = info.param.id;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Vectors, ReplayTest, ::testing::ValuesIn(load_vectors()), test_name);

}  // namespace

// For GoogleTest's messages.
void PrintTo(const Vector& vector, std::ostream* out) { *out << vector.id; }

}  // namespace walpost::test
