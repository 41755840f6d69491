#include "propose/profile_remarks.hpp"

#include "core/sha256.hpp"
#include "propose/transform_proposer.hpp"
#include "proposed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

ToolFinding finding(const std::string& tool, const std::string& file, int line) {
  return {
      .tool = tool, .what = "missed", .meaning = "a call", .where = {.file = file, .line = line}};
}

TEST(ProfileRemarks, AreTheVectorizersOnTheSourceThenTheAdvice) {
  ProfileRecord profile;
  profile.findings = {finding("vectorizer", "a/k.cpp", 3), finding("vectorizer", "h.hpp", 4),
                      finding("clang-tidy", "a/k.cpp", 5)};
  profile.advice = {{.rule = "call_overhead"}};
  const std::vector<Remark> remarks = profile_remarks(profile, "b/k.cpp");
  ASSERT_EQ(remarks.size(), 2);
  EXPECT_EQ(remarks[0].line, 3);
  EXPECT_EQ(remarks[0].text, "missed: a call");
  EXPECT_EQ(remarks[1].line, 0);
  EXPECT_EQ(remarks[1].text, "call_overhead");
}

TEST(ProfileRemarks, TellWhichAdviceARuleFollows) {
  const std::vector<Advice> advice{
      {.rule = "unknown"}, {.rule = "in_order_reduction"}, {.rule = "not_vectorized"}};
  EXPECT_EQ(rank_by_advice("simd_reduction", advice), 1);
  EXPECT_EQ(rank_by_advice("interchange+simd", advice), 1);
  EXPECT_EQ(rank_by_advice("interchange+unroll_and_jam", advice), 2);
  EXPECT_EQ(rank_by_advice("parallel_for", advice), 3);
  EXPECT_EQ(rank_by_advice("simd_reduction", {}), 0);
}

Candidate doubling_kernel() {
  Candidate parent{.text =
                       "__global__ void twice(const float* x, float* y, int n) {\n"
                       "  for (int i = threadIdx.x; i < n; i += 256) y[i] = 2 * x[i];\n"
                       "}\n"
                       "void launch(const float* x, float* y, int n) {\n"
                       "  twice<<<1, 256>>>(x, y, n);\n"
                       "}\n"};
  parent.hash = sha256(parent.text);
  parent.kernel.sources = {"k.cu"};
  return parent;
}

// The first rule that the proposer tries on a kernel with this advice.
std::string first_rule(const std::vector<Advice>& advice) {
  Candidate parent = doubling_kernel();
  parent.profile = ProfileRecord{.advice = advice};
  TransformProposer proposer(true);
  return proposed(proposer, {.parent = parent, .context = {}, .id = 2})->settings["rule"];
}

TEST(ProfileRemarks, MoveAdvisedRulesForward) {
  EXPECT_EQ(first_rule({}), "unroll+restrict");
  EXPECT_EQ(first_rule({{.rule = "occupancy"}}), "launch_bounds");
}

TEST(ProfileRemarks, MoveRulesForwardOnceTheyAreKnown) {
  Candidate parent = doubling_kernel();
  TransformProposer proposer(true);
  const ProposalRequest request{.parent = parent, .context = {}, .id = 2};
  EXPECT_EQ(proposed(proposer, request)->settings["rule"], "unroll+restrict");
  parent.profile = ProfileRecord{.advice = {{.rule = "occupancy"}}};
  EXPECT_EQ(proposed(proposer, request)->settings["rule"], "launch_bounds");
}

}  // namespace
}  // namespace robust_kbench
