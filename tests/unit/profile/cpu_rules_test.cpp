#include <algorithm>
#include <string>

#include "found.hpp"
#include "profile/advice.hpp"
#include "profile/cpu_roofline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr CpuPeaks peaks{.copy_bytes_per_s = 10e9, .flops_per_s = 100e9};

ToolFinding loop(const std::string& what, int line) {
  return {.tool = "vectorizer", .what = what, .where = {.file = "/k/kernel.cpp", .line = line}};
}

TEST(CpuRoofline, ComparesACallWithCopiesAndMultiplyAdds) {
  const auto findings = cpu_roofline_findings({.time_us = 500, .flops = 10e6, .bytes = 2e6}, peaks,
                                              CpuCall{.time_us = 20, .flops = 1e3, .bytes = 1e5});
  EXPECT_DOUBLE_EQ(value(findings, "call_time"), 500);
  EXPECT_DOUBLE_EQ(value(findings, "memory_time"), 200);
  EXPECT_DOUBLE_EQ(value(findings, "arithmetic_time"), 100);
  EXPECT_DOUBLE_EQ(value(findings, "bandwidth"), 4);
  EXPECT_DOUBLE_EQ(value(findings, "copy_rate"), 10);
  EXPECT_DOUBLE_EQ(value(findings, "flop_rate"), 20);
  EXPECT_DOUBLE_EQ(value(findings, "multiply_add_rate"), 100);
  EXPECT_DOUBLE_EQ(value(findings, "smallest_call"), 20);
  EXPECT_DOUBLE_EQ(value(findings, "work_ratio"), 20);
}

TEST(CpuRoofline, SaysThatTheSmallestCallBoundsTheOverheadFromAbove) {
  const auto findings = cpu_roofline_findings({.time_us = 500, .bytes = 2e6}, peaks,
                                              CpuCall{.time_us = 20, .bytes = 1e5});
  const auto smallest = std::ranges::find(findings, "smallest_call", &ToolFinding::what);
  ASSERT_NE(smallest, findings.end());
  EXPECT_THAT(smallest->meaning, HasSubstr("is at most this"));
}

TEST(CpuRoofline, SaysWhatIsKnownWhereTheTaskTellsNoCost) {
  const auto findings = cpu_roofline_findings({.time_us = 500}, peaks, std::nullopt);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].what, "call_time");
  EXPECT_THAT(rules_of(findings), IsEmpty());
}

TEST(CpuRules, NameTheRoofThatIsNear) {
  EXPECT_THAT(rules_of(cpu_roofline_findings({.time_us = 250, .flops = 1e6, .bytes = 2e6}, peaks,
                                             std::nullopt)),
              ElementsAre("memory_bound"));
  EXPECT_THAT(rules_of(cpu_roofline_findings({.time_us = 250, .flops = 20e6, .bytes = 1e6}, peaks,
                                             std::nullopt)),
              ElementsAre("compute_bound"));
}

TEST(CpuRules, SayHowFarTheNearerRoofIs) {
  const auto advice = advise(
      cpu_roofline_findings({.time_us = 1000, .flops = 1e6, .bytes = 2e6}, peaks, std::nullopt));
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_EQ(advice[0].rule, "far_from_roof");
  EXPECT_DOUBLE_EQ(advice[0].stake, 0.8);
  EXPECT_THAT(advice[0].text, AllOf(HasSubstr("5 times"), HasSubstr("traffic to memory"),
                                    HasSubstr("200 us of 1000 us")));
}

TEST(CpuRules, GiveAchievedBesidePossibleRates) {
  for (const double time_us : {250.0, 1000.0}) {
    const auto advice = advise(cpu_roofline_findings(
        {.time_us = time_us, .flops = 1e6, .bytes = 2e6}, peaks, std::nullopt));
    ASSERT_EQ(advice.size(), 1U);
    EXPECT_THAT(advice[0].text, HasSubstr(time_us == 250 ? "It moves 8 of 10 GB/s and does 4 of "
                                                           "100 GFLOP/s, which is possible here."
                                                         : "It moves 2 of 10 GB/s and does 1 of "
                                                           "100 GFLOP/s, which is possible here."));
  }
}

TEST(CpuRules, NameNothingThatTheSourceDoes) {
  const auto findings =
      cpu_roofline_findings({.time_us = 1000, .flops = 1e6, .bytes = 2e6}, peaks, std::nullopt);
  const auto text = [&](std::string_view source) { return advise(findings, source).at(0).text; };
  EXPECT_THAT(text("int x;"),
              HasSubstr("What is left: vectorize its loops, touch each element once "
                        "and spread large work over the CPUs."));
  EXPECT_THAT(text("_mm256_add_ps(a, b);"), Not(HasSubstr("vectorize")));
  EXPECT_THAT(text("#pragma omp simd\n"), Not(HasSubstr("vectorize")));
  EXPECT_THAT(text("_mm256_add_ps(a, b); at::parallel_for(0, n, 1, f);"),
              HasSubstr("What is left: touch each element once."));
  const auto few = cpu_roofline_findings({.time_us = 30, .flops = 1e5, .bytes = 2e5}, peaks,
                                         CpuCall{.time_us = 20, .bytes = 1e4});
  EXPECT_THAT(advise(few, "int x;").at(0).text, Not(HasSubstr("threads")));
  EXPECT_THAT(advise(few, "#pragma omp parallel for\n").at(0).text, HasSubstr("Start no threads"));
}

TEST(CpuRules, LeaveLoopsAloneThatAreVectorizedByHand) {
  const char* by_hand =
      "for (; i + 8 <= n; i += 8) {\n"
      "  sum = _mm256_add_ps(sum, _mm256_loadu_ps(x + i));\n"
      "}\n"
      "for (; i < n; ++i) y += x[i];\n"
      "for (int j = 0; j < m; ++j) z += x[j];\n";
  const std::vector<ToolFinding> findings{loop("not_vectorized", 1), loop("in_order_reduction", 4),
                                          loop("in_order_reduction", 5)};
  const auto advice = advise(findings, by_hand);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_THAT(advice[0].text, HasSubstr("at kernel.cpp:5. "));
  EXPECT_THAT(rules_of(findings), ElementsAre("in_order_reduction", "not_vectorized"));
  std::vector<ToolFinding> in_header{loop("not_vectorized", 1)};
  in_header[0].where.file = "/k/sums.hpp";
  EXPECT_THAT(rules_of(in_header, by_hand), ElementsAre("not_vectorized"));
}

TEST(CpuRules, WeighLoopsByTheDistanceFromTheRoof) {
  auto findings =
      cpu_roofline_findings({.time_us = 1000, .flops = 1e6, .bytes = 2e6}, peaks, std::nullopt);
  for (int line = 1; line <= 7; ++line) findings.push_back(loop("not_vectorized", line));
  findings.push_back(loop("in_order_reduction", 13));
  findings.push_back(loop("vectorized", 18));
  const auto advice = advise(findings);
  ASSERT_EQ(advice.size(), 3U);
  EXPECT_EQ(advice[1].rule, "in_order_reduction");
  EXPECT_DOUBLE_EQ(advice[1].stake, 0.8);
  EXPECT_THAT(advice[1].text, AllOf(HasSubstr("at kernel.cpp:13. "), HasSubstr("omp simd")));
  EXPECT_EQ(advice[2].rule, "not_vectorized");
  EXPECT_DOUBLE_EQ(advice[2].stake, 0.4);
  EXPECT_THAT(advice[2].text, HasSubstr("kernel.cpp:5 and 2 more."));
  EXPECT_EQ(advice[2].because.size(), 7U);
}

TEST(CpuRules, SayWhenACallCostsTheSameWhateverItsSize) {
  const CpuCall call{.time_us = 30, .flops = 1e5, .bytes = 2e5};
  EXPECT_THAT(rules_of(cpu_roofline_findings(call, peaks, CpuCall{.time_us = 20, .bytes = 1e4})),
              ElementsAre("call_overhead", "memory_bound"));
  EXPECT_THAT(rules_of(cpu_roofline_findings(call, peaks, CpuCall{.time_us = 5, .bytes = 1e4})),
              ElementsAre("memory_bound"));
  EXPECT_THAT(rules_of(cpu_roofline_findings(call, peaks, CpuCall{.time_us = 20, .bytes = 1e5})),
              ElementsAre("memory_bound"));
}

}  // namespace
}  // namespace robust_kbench
