#include "profile/tools.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

void write_program(const fs::path& path, const std::string& script) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n" << script;
  fs::permissions(path, fs::perms::owner_all);
}

// Each test has a PATH of its own.
class Tools : public testing::Test {
 protected:
  void SetUp() override { setenv("PATH", (m_directory.path() / "path").c_str(), 1); }
  void TearDown() override { setenv("PATH", m_path.c_str(), 1); }

  fs::path directory() const { return m_directory.path(); }
  Toolchain toolchain() const { return {.nvcc = directory() / "cuda/bin/nvcc"}; }

 private:
  TemporaryDirectory m_directory{"tools_test"};
  std::string m_path = std::getenv("PATH");
};

TEST_F(Tools, NamesAMissingToolAndHowToInstallIt) {
  const Tool tool = find_tool("compute-sanitizer", toolchain());
  EXPECT_TRUE(tool.path.empty());
  EXPECT_THAT(tool.missing,
              AllOf(HasSubstr("not in PATH"), HasSubstr("cuda/bin"), HasSubstr("cuda-sanitizer")));
  EXPECT_THAT(find_tool("clang-tidy", {}).missing,
              AllOf(HasSubstr("not in PATH;"), HasSubstr("clang-tidy")));
}

TEST_F(Tools, TakesTheOneInPathBeforeTheToolkits) {
  write_program(directory() / "cuda/bin/ptxas", "echo release 12.0\n");
  EXPECT_EQ(find_tool("ptxas", toolchain()).path, directory() / "cuda/bin/ptxas");
  write_program(directory() / "path/ptxas", "echo 'ptxas: a compiler'; echo ' Version 13.0'\n");
  const Tool tool = find_tool("ptxas", toolchain());
  EXPECT_EQ(tool.path, directory() / "path/ptxas");
  EXPECT_EQ(tool.version, "Version 13.0");
  EXPECT_TRUE(tool.missing.empty());
}

TEST_F(Tools, AFileThatCannotRunIsMissing) {
  write_program(directory() / "path/ptxas", "");
  fs::permissions(directory() / "path/ptxas", fs::perms::owner_read);
  EXPECT_TRUE(find_tool("ptxas", {}).path.empty());
}

TEST_F(Tools, ListsEachOnceAndKnowsNoOther) {
  std::vector<std::string> names;
  for (const Tool& tool : find_tools({})) names.push_back(tool.name);
  EXPECT_THAT(names,
              testing::ElementsAre("ncu", "compute-sanitizer", "ptxas", "cuobjdump", "clang-tidy"));
  EXPECT_THROW((void)find_tool("nvprof", {}), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
