#include "evaluate/evaluator.hpp"
#include "scripted_suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Tests of cases beside the listed configs, which have 100 and 17 elements.
namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class BeyondListed : public testing::Test, public ScriptedSuite {
 protected:
  BeyondListed() { m_shaped.shapes = Shapes{.sizes = {{"size", 1, 200}}}; }

  KernelRecord test(const std::string& script, Scope scope = {}) {
    scope.seeds = 1;
    if (scope.nonce == 0) scope.nonce = 0x2a;
    Evaluator evaluator(m_manifest, m_shaped, Direction::forward, Device::cpu, m_options);
    return evaluator.submit(kernel(script),
                            {.scope = scope, .stages = {Stage::compile, Stage::test}});
  }

  static std::size_t refusals(const KernelRecord& record) {
    std::size_t count = 0;
    for (const CaseRecord& c : record.cases) count += c.refused;
    return count;
  }

  Task m_shaped = m_task;
};

TEST_F(BeyondListed, DrawnConfigsFollowListedOnes) {
  const KernelRecord record = test("is right");
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  ASSERT_EQ(record.cases.size(), 7U);
  EXPECT_EQ(record.cases[1].asks, "");
  EXPECT_EQ(record.cases[2].name, "drawn_1");
  EXPECT_THAT(record.cases[2].asks, StartsWith("drawn config drawn_1: size "));
  EXPECT_EQ(record.cases.back().name, sequence_name);
  EXPECT_EQ(record.coverage, Coverage::full);
}

TEST_F(BeyondListed, TheNonceReplaysADrawnConfig) {
  const KernelRecord record = test("is right", {.only_case = "drawn_2"});
  ASSERT_EQ(record.cases.size(), 1U);
  EXPECT_EQ(record.cases[0].asks, test("is right").cases[3].asks);
  EXPECT_NE(record.cases[0].asks,
            test("is right", {.only_case = "drawn_2", .nonce = 0x2d}).cases[0].asks);
}

// Otherwise kernels could be fitted to the configs that a busy evaluator draws.
TEST_F(BeyondListed, AnEvaluatorDrawsOthersAfterSomeKernels) {
  Evaluator evaluator(m_manifest, m_shaped, Direction::forward, Device::cpu, m_options);
  const KernelSource right = kernel("is right");
  const auto asked = [&] {
    const KernelRecord record = evaluator.submit(right, {.stages = {Stage::compile, Stage::test}});
    std::string all;
    for (const CaseRecord& one : record.cases) all += one.asks + "\n";
    return all;
  };
  const std::string first = asked();
  EXPECT_EQ(first, asked());
  // A submission that tests nothing counts, too.
  for (int i = 2; i < 32; ++i) evaluator.submit(right, {.stages = {Stage::compile}});
  const std::string second = asked();
  for (int i = 1; i < 32; ++i) evaluator.submit(right, {.stages = {Stage::compile}});
  // Sizes of 1 are drawn often, so two nonces may draw the same configs.
  EXPECT_TRUE(first != second || second != asked());
}

TEST_F(BeyondListed, AWrongDrawnConfigTellsItsPropertyAndHowToLeaveItOut) {
  const KernelRecord record = test("is wrong at other sizes");
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  const std::string& reason = record.judgement.reason;
  EXPECT_THAT(reason, StartsWith("right on all 2 listed cases; wrong on drawn config drawn_"));
  EXPECT_THAT(reason, HasSubstr(" --nonce 0x2a\n--scope listed leaves out"));
}

TEST_F(BeyondListed, AKernelThatIsWrongOnListedOnesIsNotCalledRightThere) {
  Scope all;
  all.all_cases = true;
  for (const CaseRecord& c : test("is wrong", all).cases) {
    EXPECT_THAT(c.judgement.reason, testing::Not(HasSubstr("right on all"))) << c.name;
  }
}

TEST_F(BeyondListed, TheListedScopeLeavesThemOut) {
  const KernelRecord record = test("is wrong at other sizes", {.coverage = Coverage::listed});
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_EQ(record.coverage, Coverage::listed);
  EXPECT_EQ(record.cases.size(), 3U);
}

TEST_F(BeyondListed, AKernelOfTheBuildMayHaveTheListedScope) {
  KernelSource source = kernel("is wrong at other sizes");
  source.coverage = Coverage::listed;
  Evaluator evaluator(m_manifest, m_shaped, Direction::forward, Device::cpu, m_options);
  const KernelRecord record =
      evaluator.submit(source, {.scope = {.seeds = 1}, .stages = {Stage::compile, Stage::test}});
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_EQ(record.coverage, Coverage::listed);
}

TEST_F(BeyondListed, ARefusalKeepsTheVerdictAndIsRecorded) {
  const KernelRecord record = test("refuses other sizes");
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_EQ(refusals(record), 4U);
  EXPECT_EQ(record.cases[2].judgement.verdict, Verdict::skipped);
  EXPECT_THAT(record.cases[2].judgement.reason, StartsWith("refused: the kernel threw: only some"));
}

TEST_F(BeyondListed, RequiredShapesMayNotBeRefused) {
  const KernelRecord record = test("refuses other sizes", {.require_shapes = true});
  EXPECT_EQ(record.judgement.verdict, Verdict::exception);
  EXPECT_THAT(record.judgement.reason, StartsWith("right on all 2 listed cases; fails on drawn"));
  EXPECT_EQ(refusals(record), 0U);
}

TEST_F(BeyondListed, AListedConfigMayNotBeRefused) {
  const KernelRecord record = test("refuses");
  EXPECT_EQ(record.judgement.verdict, Verdict::exception);
}

TEST_F(BeyondListed, AKernelOfWhichOnlyRefusalsAreKnownHasNotPassed) {
  const KernelRecord record = test("refuses other sizes", {.only_case = "drawn_1"});
  EXPECT_EQ(record.judgement.verdict, Verdict::skipped);
  EXPECT_THAT(record.judgement.reason, HasSubstr("refused: "));
}

}  // namespace
}  // namespace robust_kbench
