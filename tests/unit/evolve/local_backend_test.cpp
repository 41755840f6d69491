#include "evolve/local_backend.hpp"

#include "../evaluate/scripted_suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::Not;
using testing::StartsWith;

// Kernels of a build that do what they are called.
class LocalBackendTest : public testing::Test, public ScriptedSuite {
 protected:
  LocalBackendTest() { m_task.shapes = Shapes{.sizes = {{"size", 1, 200}}}; }

  [[nodiscard]] Candidate candidate(const std::string& script) const {
    return {.id = 1, .name = script, .text = script, .hash = script, .kernel = kernel(script)};
  }

  KernelRecord on_unseen_configs(const std::string& script) {
    const Candidate parent = candidate("is right");
    LocalBackend backend(m_manifest, m_task, Direction::forward, Device::cpu, {});
    return backend.evaluate(EvaluationKind::unseen, candidate(script), {{parent_rival, &parent}})
        .record;
  }
};

TEST_F(LocalBackendTest, TestsUnseenConfigsBeforeItTimesThem) {
  const KernelRecord record = on_unseen_configs("is wrong at other sizes");
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  ASSERT_FALSE(record.cases.empty());
  EXPECT_THAT(record.cases.front().name, StartsWith("unseen_"));
  EXPECT_THAT(record.judgement.reason, Not(testing::HasSubstr("--case")))
      << "no command knows these configs";
  EXPECT_TRUE(record.timings.empty());
}

TEST_F(LocalBackendTest, RefusesWhatAKernelsCodeMayNotAskFor) {
  Candidate asking = candidate("is right");
  asking.kernel = kernel("is right", {.judgement = passed(),
                                      .uses = {{Capability::clocks, "clock", "kernel.cpp", 3}}});
  LocalBackend backend(m_manifest, m_task, Direction::forward, Device::cpu,
                       {.refused = refused_by_default(Device::cpu)});
  const KernelRecord refused = backend.evaluate(EvaluationKind::compile, asking, {}).record;
  EXPECT_EQ(refused.judgement.verdict, Verdict::load_error);
  asking.kernel.allowed = {Capability::clocks};
  EXPECT_TRUE(backend.evaluate(EvaluationKind::compile, asking, {}).record.judgement.passes());
}

TEST_F(LocalBackendTest, CallsARefusalOfUnseenConfigsAnException) {
  EXPECT_EQ(on_unseen_configs("refuses other sizes").judgement.verdict, Verdict::exception);
}

}  // namespace
}  // namespace robust_kbench
