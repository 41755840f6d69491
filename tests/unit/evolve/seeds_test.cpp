#include "evolve/seeds.hpp"

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class SeedsTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    OutputFile(m_directory.path() / name).write(text);
  }

  std::vector<Candidate> seeds() {
    KernelSource kernel{.entry = {"adding", Direction::forward}, .name = "mine"};
    kernel.sources = {m_directory.path() / "mine.cpp"};
    Manifest manifest;
    manifest.tasks.push_back({.name = "adding", .directory = m_directory.path() / "task"});
    manifest.kernels.push_back(kernel);
    return seeds_of(manifest, kernel.entry, Device::cpu, {});
  }

  std::string error() {
    try {
      seeds();
    } catch (const UserError& error) {
      return error.what();
    }
    return "none";
  }

  TemporaryDirectory m_directory{"seeds_test"};
};

const std::string tuning_file = R"({"ConfigurationSpace": {"TuningParameters": [
    {"Name": "threads", "Values": [64, 128]}]}})";

TEST_F(SeedsTest, HaveWhatTheTuningFileBesideThemDeclares) {
  write("mine.cpp", "constexpr int threads = 64;\n");
  write("mine.json", tuning_file);
  EXPECT_THAT(seeds().at(0).declarations.values,
              ElementsAre(Pair("threads", ElementsAre("64", "128"))));
}

TEST_F(SeedsTest, AreRefusedWithATuningFileForAnotherSource) {
  write("mine.cpp", "constexpr int blocks = 64;\n");
  write("mine.json", tuning_file);
  EXPECT_THAT(error(), HasSubstr("mine.cpp, or the tuning file beside it"));
  EXPECT_THAT(error(), HasSubstr("threads"));
}

TEST_F(SeedsTest, AreRefusedWithARestrictionThatNobodyUnderstands) {
  write("mine.cpp", "// restriction: unknown < 3\n");
  EXPECT_THAT(error(), HasSubstr("'unknown' is no tunable"));
}

}  // namespace
}  // namespace robust_kbench
