#include "cli/kernel_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

// Those of files that are given in the directory /w.
std::vector<std::string> names_of(const std::vector<std::string>& files) {
  std::vector<KernelSource> kernels;
  for (const std::string& file : files) {
    const bool absolute = file.starts_with('/');
    kernels.push_back(
        {.sources = {absolute ? file : "/w/" + file}, .named_in = absolute ? "" : "/w"});
  }
  tell_apart(kernels);
  std::vector<std::string> names;
  for (const KernelSource& kernel : kernels) names.push_back(kernel.name);
  return names;
}

TEST(KernelNames, AreTheFilesWhereTheseDiffer) {
  EXPECT_THAT(names_of({"/x/one.cpp", "b/two.v2.cpp"}), ElementsAre("one", "two.v2"));
}

TEST(KernelNames, AreTheShortestEndsOfPathsThatDiffer) {
  EXPECT_THAT(names_of({"a/kernel.cpp", "b/kernel.cpp", "b/other.cpp"}),
              ElementsAre("a/kernel", "b/kernel", "other"));
  EXPECT_THAT(names_of({"/a/x/kernel.cpp", "/b/x/kernel.cpp", "/b/y/kernel.cpp"}),
              ElementsAre("a/x/kernel", "b/x/kernel", "y/kernel"));
  EXPECT_THAT(names_of({"kernel.cpp", "./a/kernel.cpp", "../kernel.cpp"}),
              ElementsAre("kernel", "a/kernel", "../kernel"));
}

TEST(KernelNames, HaveTheirEndingWhereNothingElseDiffers) {
  EXPECT_THAT(names_of({"kernel.cpp", "kernel.cu"}), ElementsAre("kernel.cpp", "kernel.cu"));
  EXPECT_THAT(names_of({"kernel.cpp", "kernel.cpp"}), ElementsAre("kernel", "kernel"));
}

}  // namespace
}  // namespace robust_kbench
