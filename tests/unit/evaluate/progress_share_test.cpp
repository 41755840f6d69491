#include "evaluate/progress_share.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr auto progress = [](Stage stage, std::size_t done, std::size_t total) {
  return Progress{.stage = stage, .done = done, .total = total, .text = ""};
};

TEST(ShareDone, GrowsFromNothingToAllOverTheStages) {
  const std::set<Stage> stages{Stage::compile, Stage::test, Stage::time};
  const KernelSource file;
  double before = 0;
  EXPECT_EQ(share_done(progress(Stage::compile, 0, 0), file, stages), 0);
  for (const Stage stage : {Stage::test, Stage::time}) {
    for (std::size_t done = 0; done < 4; ++done) {
      const double share = share_done(progress(stage, done, 4), file, stages);
      EXPECT_GT(share, before);
      before = share;
    }
  }
  EXPECT_LT(before, 1);
  EXPECT_EQ(share_done(progress(Stage::time, 4, 4), file, stages), 1);
}

TEST(ShareDone, LeavesOutTheCompilationOfAKernelOfTheBuild) {
  KernelSource built;
  built.record = "/build/kernels/norm.json";
  EXPECT_EQ(share_done(progress(Stage::test, 30, 60), built, {Stage::compile, Stage::test}), 0.5);
}

TEST(ShareDone, CountsNoStageThatIsNotAskedFor) {
  EXPECT_EQ(share_done(progress(Stage::compile, 0, 0), {}, {Stage::compile}), 0);
  EXPECT_EQ(share_done(progress(Stage::time, 1, 2), {}, {Stage::time}), 0.5);
}

}  // namespace
}  // namespace robust_kbench
