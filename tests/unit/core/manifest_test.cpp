#include "core/manifest.hpp"

#include <fstream>
#include <unistd.h>

#include "core/error.hpp"
#include "core/manifest_places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

class ManifestTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(m_path); }

  std::filesystem::path write(const std::string& text) {
    std::ofstream(m_path) << text;
    return m_path;
  }

  std::filesystem::path m_path =
      std::filesystem::path(testing::TempDir()) / ("manifest" + std::to_string(getpid()) + ".json");
};

TEST_F(ManifestTest, UnknownTaskListsTheKnownOnes) {
  Manifest manifest;
  manifest.tasks = {{"layernorm", "/t/layernorm"}, {"mnist_pool", "/t/mnist_pool"}};
  EXPECT_EQ(manifest.task("layernorm").directory, "/t/layernorm");
  try {
    (void)manifest.task("layrnorm");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "task 'layrnorm' does not exist; known: layernorm, mnist_pool");
  }
}

TEST_F(ManifestTest, APlainKernelIsTheFileOfItsDirectionAndDevice) {
  const std::filesystem::path directory =
      m_path.parent_path() / ("task" + std::to_string(getpid()));
  std::filesystem::create_directory(directory);
  std::ofstream(directory / "forward.cpp") << "";
  std::ofstream(directory / "backward.cu") << "";
  Manifest manifest;
  manifest.tasks = {
      {.name = "t", .directory = directory, .fast_math = false, .coverage = Coverage::listed}};
  const auto forward = manifest.plain_kernel({"t", Direction::forward}, Device::cpu);
  const auto backward = manifest.plain_kernel({"t", Direction::backward}, Device::cuda);
  const auto missing = manifest.plain_kernel({"t", Direction::forward}, Device::cuda);
  manifest.kernels = {{.sources = {"/other.cpp", directory / "forward.cpp"}}};
  const auto of_build = manifest.plain_kernel({"t", Direction::forward}, Device::cpu);
  std::filesystem::remove_all(directory);

  ASSERT_TRUE(forward && backward);
  EXPECT_EQ(forward->sources, std::vector<std::string>{directory / "forward.cpp"});
  EXPECT_EQ(forward->name, "plain_cpu");
  EXPECT_FALSE(forward->fast_math);
  EXPECT_EQ(forward->coverage, Coverage::listed);
  EXPECT_EQ(backward->sources, std::vector<std::string>{directory / "backward.cu"});
  EXPECT_EQ(backward->device, Device::cuda);
  EXPECT_EQ(backward->entry.direction, Direction::backward);
  EXPECT_FALSE(missing);
  EXPECT_FALSE(of_build);
}

TEST_F(ManifestTest, PathsOfAnInstallationAreRelativeToItsManifest) {
  const Manifest manifest = load_manifest(write(R"({
    "toolchain": {"cxx": "/usr/bin/c++", "nvcc": "/missing/nvcc", "kernel_include": "./include",
                  "shim": "../lib/shim.a", "worker": "../bin/worker",
                  "baseline_command": ["../bin/rkb", "baseline-worker"], "python": "",
                  "compile_packages": "",
                  "torch": {"kernel_include": "", "shim": "", "include_directories": ["../torch"],
                            "libraries": [], "cuda_libraries": [], "library_directories": []}},
    "tasks": [{"name": "t", "directory": "./tasks/t", "fast_math": true, "scope": "full"}],
    "kernels": []})"));
  const std::filesystem::path directory = m_path.parent_path();
  const std::filesystem::path above = directory.parent_path();
  EXPECT_EQ(manifest.toolchain.cxx, "/usr/bin/c++");
  EXPECT_EQ(manifest.toolchain.nvcc, "");
  EXPECT_EQ(manifest.toolchain.kernel_include, directory / "include");
  EXPECT_THAT(manifest.toolchain.baseline_command,
              ElementsAre(above / "bin/rkb", "baseline-worker"));
  EXPECT_THAT(manifest.toolchain.torch.include_directories, ElementsAre(above / "torch"));
  EXPECT_EQ(manifest.tasks.at(0).directory, directory / "tasks/t");
}

TEST(ManifestPlaces, AreDirectoriesOfTheBuildAndItsSources) {
  Manifest manifest{.path = "/b/robust/share/robust_kbench/manifest.json"};
  manifest.toolchain.kernel_include = "/s/include/kernel";
  manifest.tasks = {{"layernorm", "/t/layernorm"}};
  manifest.kernels = {{.sources = {"/k/a/one.cpp", "/k/b/two.cpp"}}};
  EXPECT_THAT(manifest_places(manifest),
              ElementsAre("/b/robust", "/s/include/kernel", "/t/layernorm", "/k/a", "/k/b"));
}

TEST_F(ManifestTest, MissingMalformedAndIncompleteFilesAreUserErrors) {
  EXPECT_THROW((void)load_manifest("/nowhere/manifest.json"), UserError);
  EXPECT_THROW((void)load_manifest(write("{")), UserError);
  EXPECT_THROW((void)load_manifest(write("{}")), UserError);
}

}  // namespace
}  // namespace robust_kbench
