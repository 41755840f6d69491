#include "profile/ptxas.hpp"

#include <map>

#include "golden.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::Pair;

std::map<std::string, double> figures_of(const std::vector<ToolFinding>& findings,
                                         const std::string& kernel) {
  std::map<std::string, double> values;
  for (const ToolFinding& finding : findings) {
    if (finding.where.kernel == kernel) values[finding.what] = finding.value.value();
  }
  return values;
}

TEST(Ptxas, ReadsEveryFigureOfEveryKernel) {
  const auto findings = ptxas_findings(golden("ptxas.txt"));
  EXPECT_THAT(figures_of(findings,
                         "void (anonymous namespace)::moments_kernel<4>(float const*, long, "
                         "(anonymous namespace)::Moments*)"),
              ElementsAre(Pair("barriers", 1), Pair("registers", 44), Pair("spill_loads", 0),
                          Pair("spill_stores", 0), Pair("stack_frame", 0),
                          Pair("static_shared_memory", 96)));
  EXPECT_THAT(
      figures_of(findings, "sums(float*, int)"),
      ElementsAre(Pair("barriers", 0), Pair("constant_memory", 364), Pair("cumulative_stack", 264),
                  Pair("registers", 24), Pair("spill_loads", 412), Pair("spill_stores", 388),
                  Pair("stack_frame", 264)));
  EXPECT_THAT(findings.back().meaning, EndsWith(", on sm_80"));
}

TEST(Ptxas, AttributesSpillsToTheFunctionThatSpills) {
  const auto findings = ptxas_findings(
      "ptxas info    : Compiling entry function '_Z5outerv' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z5innerv\n"
      "    8 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads\n"
      "ptxas info    : Used 40 registers, used 0 barriers\n");
  EXPECT_EQ(figures_of(findings, "inner()").at("spill_stores"), 16);
  EXPECT_EQ(figures_of(findings, "outer()").at("registers"), 40);
}

TEST(Ptxas, PassesOnTheLossesThatItWarnsOf) {
  const auto findings = ptxas_findings(
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are "
      "serialized due to a call in function '_Z4gemmv'\n");
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].what, "performance_loss");
  EXPECT_EQ(findings[0].severity, Severity::warning);
}

TEST(Ptxas, SaysNothingOfOutputThatHasNoFigures) {
  EXPECT_TRUE(ptxas_findings("").empty());
  EXPECT_TRUE(ptxas_findings("ptxas info    : Used many registers\nUsed 7 registers\n").empty());
}

}  // namespace
}  // namespace robust_kbench
