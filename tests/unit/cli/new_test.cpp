#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "built_program.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class RkbNew : public testing::Test {
 protected:
  // The build's manifest, but no task has a plain kernel.
  [[nodiscard]] std::string manifest_without_plain_kernels() const {
    nlohmann::json manifest = nlohmann::json::parse(read(manifest_of_build()));
    for (nlohmann::json& task : manifest["tasks"]) task["directory"] = m_directory.path();
    const std::string path = file("manifest.json");
    std::ofstream(path) << manifest;
    return path;
  }

  [[nodiscard]] std::string file(const std::string& name) const {
    return m_directory.path() / name;
  }

  TemporaryDirectory m_directory{"rkb_new"};
};

TEST_F(RkbNew, CopiesThePlainKernelAndNamesTheNextCommand) {
  const CommandResult cpu = rkb({"new", "layernorm", file("mine.cpp")});
  EXPECT_EQ(cpu.exit_code, 0) << cpu.output;
  EXPECT_EQ(read(file("mine.cpp")), read(RKB_TASKS "/layernorm/forward.cpp"));
  EXPECT_THAT(cpu.output, HasSubstr("rkb evaluate --task layernorm --direction forward " +
                                    file("mine.cpp") + "\n"));

  const CommandResult cuda =
      rkb({"new", "layernorm", "--direction", "backward", file("my kernel.cu")});
  EXPECT_EQ(cuda.exit_code, 0) << cuda.output;
  EXPECT_EQ(read(file("my kernel.cu")), read(RKB_TASKS "/layernorm/backward.cu"));
  EXPECT_THAT(cuda.output, HasSubstr("--direction backward '" + file("my kernel.cu") + "'\n"));
}

TEST_F(RkbNew, WantsTheNameOfASource) {
  const CommandResult other = rkb({"new", "layernorm", file("kernel.py")});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.output, HasSubstr("kernel.py must end in .cpp (CPU) or .cu (CUDA)"));
}

TEST_F(RkbNew, MakesDirectoriesThatAreMissing) {
  const CommandResult result = rkb({"new", "layernorm", file("new/folder/kernel.cpp")});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(read(file("new/folder/kernel.cpp")), read(RKB_TASKS "/layernorm/forward.cpp"));
}

TEST_F(RkbNew, OverwritesNothing) {
  std::ofstream(file("mine.cpp")) << "dear to me";
  const CommandResult result = rkb({"new", "layernorm", file("mine.cpp")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("mine.cpp exists"));
  EXPECT_EQ(read(file("mine.cpp")), "dear to me");
}

TEST_F(RkbNew, RefusesATaskWithoutThatDirection) {
  const CommandResult result =
      rkb({"new", "llama_ffw", "--direction", "backward", file("mine.cpp")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("backward"));
  EXPECT_FALSE(fs::exists(file("mine.cpp")));
}

// A list of integers, a tuple and optional tensors are among the arguments.
TEST_F(RkbNew, WritesASkeletonThatCompilesWhereThereIsNoPlainKernel) {
  const std::string manifest = manifest_without_plain_kernels();
  const std::vector<std::vector<std::string>> entries{
      {"layernorm", "backward"}, {"mnist_pool", "backward"}, {"resnet_block", "forward"}};
  std::vector<std::string> compile{"--manifest", manifest, "compile"};
  for (const std::vector<std::string>& entry : entries) {
    const std::string path = file(entry[0] + ".cpp");
    const CommandResult result =
        rkb({"--manifest", manifest, "new", entry[0], "--direction", entry[1], path});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("skeleton"));
    compile.push_back(path);
  }
  EXPECT_THAT(read(file("resnet_block.cpp")), HasSubstr("c10::optional<torch::Tensor> conv1_bias"));
  const CommandResult compiled = rkb(compile);
  EXPECT_EQ(compiled.exit_code, 0) << compiled.output;
}

}  // namespace
}  // namespace robust_kbench
