#include "evaluate/jobs.hpp"

#include "core/error.hpp"
#include "scripted_suite.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class Jobs : public testing::Test, public ScriptedSuite {
 protected:
  std::vector<KernelRecord> evaluate(const std::vector<KernelSource>& kernels) {
    Evaluator evaluator(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
    return evaluate_all(
        evaluator, kernels,
        {.jobs = 2,
         .request_of =
             [](const KernelSource&) {
               return Request{.scope = {.seeds = 1}, .stages = {Stage::compile, Stage::test}};
             },
         .on_done =
             [this](const KernelSource& kernel, const KernelRecord& record) {
               EXPECT_EQ(record.name, kernel.name);
               m_done.push_back(kernel.name);
             }});
  }

  std::vector<std::string> m_done;
};

TEST_F(Jobs, GivesRecordsInTheOrderOfTheKernels) {
  const auto records = evaluate({kernel("is wrong"), kernel("is right"), kernel("dies")});
  std::vector<Verdict> verdicts;
  for (const KernelRecord& record : records) verdicts.push_back(record.judgement.verdict);
  EXPECT_THAT(verdicts, ElementsAre(Verdict::wrong_result, Verdict::pass, Verdict::crash));
  EXPECT_THAT(m_done, UnorderedElementsAre("is wrong", "is right", "dies"));
}

TEST_F(Jobs, HasNoRecordsOfNoKernels) {
  EXPECT_TRUE(evaluate({}).empty());
}

TEST_F(Jobs, PassesUserErrorsOn) {
  KernelSource unbuilt = kernel("is right");
  unbuilt.record = "/nowhere/record.json";
  EXPECT_THROW(evaluate({unbuilt, kernel("is right")}), UserError);
}

TEST(UsualJobs, OneOnTheCpuWhereEachIsTimedOnAllCores) {
  EXPECT_EQ(usual_jobs(Device::cpu), 1);
  EXPECT_GE(usual_jobs(Device::cuda), 1);
  EXPECT_LE(usual_jobs(Device::cuda), 8);
}

}  // namespace
}  // namespace robust_kbench
