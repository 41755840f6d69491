#include "runs/pilots/source_tree.hpp"

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// A small tree with one task and one kernel, as CMake would describe it.
class SourceTree : public testing::Test {
 protected:
  Manifest tree(const std::string& name) {
    const fs::path root = m_directory.path() / name;
    for (const char* directory : {"include", "tasks/adding", "kernels", "build/share"}) {
      fs::create_directories(root / directory);
    }
    std::ofstream(root / "include/torch.h") << "// shim\n";
    std::ofstream(root / "tasks/adding/config_forward.json") << "{}\n";
    std::ofstream(root / "kernels/fast.cpp") << "// fast\n";
    std::ofstream(root / "build/share/commit") << "0123456789ab\n";
    Manifest manifest{.path = root / "build/share/manifest.json"};
    manifest.toolchain.kernel_include = root / "include";
    manifest.tasks = {{.name = "adding", .directory = root / "tasks/adding"}};
    KernelSource& kernel = manifest.kernels.emplace_back();
    kernel.entry = {"adding", Direction::forward};
    kernel.name = "fast";
    kernel.sources = {root / "kernels/fast.cpp"};
    kernel.record = root / "build/fast.json";
    return manifest;
  }
  const TemporaryDirectory m_directory{"source_tree"};
};

TEST_F(SourceTree, IsTheSameElsewhereAndAnotherWithAnyChange) {
  const Manifest here = tree("here");
  const Manifest there = tree("there");
  EXPECT_EQ(source_tree_digest(here), source_tree_digest(there));
  for (const char* file : {"include/torch.h", "tasks/adding/config_forward.json",
                           "kernels/fast.cpp", "build/share/commit"}) {
    const Manifest changed = tree("changed");
    std::ofstream(m_directory.path() / "changed" / file, std::ios::app) << "more\n";
    EXPECT_NE(source_tree_digest(changed), source_tree_digest(here)) << file;
    fs::remove_all(m_directory.path() / "changed");
  }
}

TEST_F(SourceTree, MovesACandidateToThisMachineAndBack) {
  const Manifest ours = tree("ours");
  const fs::path theirs = m_directory.path() / "theirs";
  const MovedSources sources(ours, theirs, m_directory.path() / "work");
  Candidate candidate{.text = "// text\n", .hash = "abc"};
  candidate.kernel.sources = {"/archive/runs/7/kernel.cpp"};
  candidate.kernel.include_directories = {theirs / "tasks/adding", "/opt/cutlass"};
  const Candidate here = sources.here(candidate);
  const std::string file = here.kernel.sources.front();
  EXPECT_EQ(read_text(file), "// text\n");
  EXPECT_EQ(here.kernel.include_directories.at(0),
            (m_directory.path() / "ours/tasks/adding").string());
  EXPECT_EQ(here.kernel.include_directories.at(1), "/opt/cutlass");
  EXPECT_EQ(
      sources.theirs("in " + file + " with " + here.kernel.include_directories.at(0), candidate),
      "in /archive/runs/7/kernel.cpp with " + (theirs / "tasks/adding").string());
}

TEST_F(SourceTree, TakesAKernelOfTheSuiteFromThisBuild) {
  const Manifest ours = tree("ours");
  const Manifest theirs = tree("theirs");
  const MovedSources sources(ours, source_root(theirs), m_directory.path() / "work");
  Candidate candidate{.kernel = theirs.kernels.at(0)};
  EXPECT_EQ(sources.here(candidate).kernel.record, ours.kernels.at(0).record);
  candidate.kernel.name = "unknown";
  EXPECT_THROW((void)sources.here(candidate), HarnessError);
}

TEST_F(SourceTree, SaysWhichFurtherFileIsMissing) {
  const MovedSources sources(tree("ours"), m_directory.path() / "theirs",
                             m_directory.path() / "work");
  Candidate candidate{.hash = "abc"};
  candidate.kernel.sources = {"/archive/kernel.cpp", "/home/ada/further.cpp"};
  try {
    (void)sources.here(candidate);
    FAIL();
  } catch (const HarnessError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/home/ada/further.cpp is not on this machine"));
  }
}

}  // namespace
}  // namespace robust_kbench
