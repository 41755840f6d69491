#include <filesystem>
#include <fstream>

#include "built_program.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

// The manifest of a build as this one, with a single kernel and config, in a directory of its own.
class Demo : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream in(manifest_of_build());
    json manifest = json::parse(in);
    json kernels = json::array();
    for (const json& kernel : manifest["kernels"]) {
      if (kernel["task"] == "mnist_linear" && kernel["direction"] == "forward" &&
          kernel["name"] == "blocked") {
        kernels.push_back(kernel);
      }
    }
    manifest["kernels"] = kernels;
    for (json& task : manifest["tasks"]) {
      if (task["name"] == "mnist_linear") task["directory"] = one_config_of(task["directory"]);
    }
    fs::create_directories(fs::path(m_manifest).parent_path());
    std::ofstream(m_manifest) << manifest;
  }

  // A directory with the task's first small config alone, since timing each takes a second.
  std::string one_config_of(const std::string& task) {
    std::ifstream in(task + "/config_forward.json");
    json config = json::parse(in, nullptr, true, true);
    config["small_shared_configs"] = json::array({config["small_shared_configs"].front()});
    std::ofstream(m_build.path() / "config_forward.json") << config;
    return m_build.path();
  }

  TemporaryDirectory m_build{"demo"};
  const std::string m_manifest = m_build.path() / "share/robust_kbench/manifest.json";
};

// Several probes find that kernel, and cases are called in a secret order.
TEST_F(Demo, TestsOneCaseOfEachKindAndRejectsAWrongKernel) {
  const CommandResult demo = rkb({"--manifest", m_manifest, "demo"});
  EXPECT_EQ(demo.exit_code, 0) << demo.output;
  EXPECT_THAT(demo.output,
              AllOf(HasSubstr(" quick "), HasSubstr("1 kernel: 1 passed"),
                    HasSubstr("wrong_cross_entropy: wrong_result\n  right on the listed case; "),
                    ContainsRegex("--case [a-z0-9_]+/small/"),
                    HasSubstr("1 kernel: 0 passed, 1 rejected")));
  EXPECT_TRUE(fs::exists(m_build.path() / "records/mnist_linear.forward.blocked.json"));
}

TEST_F(Demo, TestsAllCasesWhereAllIsAskedFor) {
  const CommandResult demo = rkb({"--manifest", m_manifest, "demo", "--all"});
  EXPECT_EQ(demo.exit_code, 0) << demo.output;
  EXPECT_THAT(demo.output, HasSubstr(" full "));
}

}  // namespace
}  // namespace robust_kbench
