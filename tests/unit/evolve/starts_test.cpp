#include "evolve/starts.hpp"

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

class StartsTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    OutputFile(m_directory.path() / name).write(text);
  }

  [[nodiscard]] KernelSource kernel(const std::string& name) const {
    KernelSource kernel{.entry = {"adding", Direction::forward}, .name = name};
    kernel.sources = {m_directory.path() / "mine.cpp"};
    return kernel;
  }

  std::vector<Candidate> starts(const std::vector<KernelSource>& further = {}) {
    Manifest manifest;
    manifest.tasks.push_back({.name = "adding", .directory = m_directory.path() / "task"});
    manifest.kernels.push_back(kernel("mine"));
    return starts_of(manifest, kernel("mine").entry, Device::cpu, further);
  }

  std::string error() {
    try {
      starts();
    } catch (const UserError& error) {
      return error.what();
    }
    return "none";
  }

  TemporaryDirectory m_directory{"starts_test"};
};

const std::string tuning_file = R"({"ConfigurationSpace": {"TuningParameters": [
    {"Name": "threads", "Values": [64, 128]}]}})";

TEST_F(StartsTest, HaveWhatTheTuningFileBesideThemDeclares) {
  write("mine.cpp", "constexpr int threads = 64;\n");
  write("mine.json", tuning_file);
  EXPECT_THAT(starts().at(0).declarations.values,
              ElementsAre(Pair("threads", ElementsAre("64", "128"))));
}

// Records give figures by these names, so two of one name would have each other's.
TEST_F(StartsTest, HaveNamesOfTheirOwn) {
  write("mine.cpp", "int one;\n");
  std::vector<std::string> names;
  for (const Candidate& start : starts({kernel("mine"), kernel("mine"), kernel("eager")})) {
    names.push_back(start.name);
  }
  EXPECT_THAT(names, ElementsAre("mine", "mine_2", "mine_3", "eager_2"));
}

TEST_F(StartsTest, AreOthersWhereAHeaderOrADefinitionIs) {
  write("mine.cpp", "#include \"part.hpp\"\n");
  write("part.hpp", "int two;\n");
  const nlohmann::json before = identities_of(starts());
  EXPECT_EQ(identities_of(starts()), before);
  KernelSource defined = kernel("defined");
  const nlohmann::json plain = identities_of(starts({defined}));
  defined.definitions = {"N=2"};
  EXPECT_NE(identities_of(starts({defined})), plain);
  write("part.hpp", "int three;\n");
  EXPECT_NE(identities_of(starts()), before);
}

TEST_F(StartsTest, AreRefusedWithATuningFileForAnotherSource) {
  write("mine.cpp", "constexpr int blocks = 64;\n");
  write("mine.json", tuning_file);
  EXPECT_THAT(error(), HasSubstr("mine.cpp, or the tuning file beside it"));
  EXPECT_THAT(error(), HasSubstr("threads"));
}

TEST_F(StartsTest, AreRefusedWithARestrictionThatNobodyUnderstands) {
  write("mine.cpp", "// restriction: unknown < 3\n");
  EXPECT_THAT(error(), HasSubstr("'unknown' is no tunable"));
}

}  // namespace
}  // namespace robust_kbench
