#include "evaluate/test_plan.hpp"

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "scripted_suite.hpp"
#include "tensor/task_registry.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class TestPlan : public testing::Test, public ScriptedSuite {};

TEST_F(TestPlan, HasATestForEachCaseAndOneForTheSequence) {
  m_manifest.kernels = {kernel("is right")};
  const TaskRegistry tasks({m_task});
  const std::vector<PlannedTest> tests = plan_tests(m_manifest, tasks);
  ASSERT_EQ(tests.size(), 11U);
  EXPECT_EQ(tests.front().name, "doubling.forward.is_right.small/size_100/seed_1");
  EXPECT_EQ(tests.front().kind, PlannedTest::Kind::cases);
  EXPECT_EQ(tests.front().only_case, "small/size_100/seed_1");
  EXPECT_EQ(tests.front().task, &tasks.find(m_task.name));
  EXPECT_EQ(tests.back().name, "doubling.forward.is_right.sequence");
  EXPECT_EQ(tests.back().kind, PlannedTest::Kind::sequence);
  EXPECT_EQ(tests.back().only_case, sequence_name);
  EXPECT_EQ(tests.back().count, 10U);
}

TEST_F(TestPlan, HasATestForEachDrawnConfigUnlessTheKernelsScopeIsListed) {
  Task shaped = m_task;
  shaped.shapes = Shapes{.sizes = {{"size", 1, 200}}};
  m_manifest.kernels = {kernel("is right"), kernel("is listed")};
  m_manifest.kernels[1].coverage = Coverage::listed;
  const TaskRegistry tasks({shaped});
  const std::vector<PlannedTest> tests = plan_tests(m_manifest, tasks);
  ASSERT_EQ(tests.size(), 15U + 11U);
  EXPECT_EQ(tests[10].name, "doubling.forward.is_right.drawn_1");
  EXPECT_EQ(tests[12].only_case, "drawn_3");
  EXPECT_EQ(tests[13].only_case, "drawn_large");
  EXPECT_EQ(tests[14].count, 14U);
}

TEST_F(TestPlan, LeavesOutKernelsOtherThanThatOfTheTestThatIsWanted) {
  m_manifest.kernels = {kernel("is right"), kernel("is right too")};
  const TaskRegistry tasks({m_task});
  const std::vector<PlannedTest> tests =
      plan_tests(m_manifest, tasks, "doubling.forward.is_right.sequence");
  ASSERT_EQ(tests.size(), 11U);
  EXPECT_EQ(tests.front().name, "doubling.forward.is_right.small/size_100/seed_1");
}

TEST_F(TestPlan, HasTheSequenceAloneOfAPlainKernel) {
  write("forward.cpp", "");
  const TaskRegistry tasks({m_task});
  const std::vector<PlannedTest> tests = plan_tests(m_manifest, tasks);
  ASSERT_EQ(tests.size(), 1U);
  EXPECT_EQ(tests.front().name, "doubling.forward.plain_cpu.sequence");
  EXPECT_EQ(tests.front().kind, PlannedTest::Kind::sequence);
  EXPECT_EQ(tests.front().only_case, sequence_name);
  EXPECT_EQ(tests.front().count, 10U);
}

TEST_F(TestPlan, HasOneTestOfAKernelThatCannotRunHere) {
  const std::string missing = cuda_facts().missing;
  if (missing.empty()) GTEST_SKIP() << "a CUDA kernel can run here";
  KernelSource cuda = kernel("is right");
  cuda.device = Device::cuda;
  m_manifest.kernels = {cuda};
  m_manifest.toolchain.nvcc = "/usr/local/cuda/bin/nvcc";
  write(
      "config_forward.json",
      R"({"multi_init_configs": [{}], "multi_input_configs": [{}], "multi_shared_configs": [{}]})");
  const TaskRegistry tasks({m_task});
  const std::vector<PlannedTest> tests = plan_tests(m_manifest, tasks);
  ASSERT_EQ(tests.size(), 1U);
  EXPECT_EQ(tests.front().kind, PlannedTest::Kind::skipped);
  EXPECT_EQ(tests.front().skip_reason, missing);
  EXPECT_EQ(tests.front().count, 5U);
}

TEST_F(TestPlan, RefusesATaskThatTheProgramDoesNotLink) {
  m_manifest.kernels = {kernel("is right")};
  m_manifest.kernels.front().entry.task = "halving";
  try {
    (void)plan_tests(m_manifest, TaskRegistry({m_task}));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("halving"), HasSubstr("doubling")));
  }
}

}  // namespace
}  // namespace robust_kbench
