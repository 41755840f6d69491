#include "profile/advice.hpp"

#include <algorithm>

#include "found.hpp"
#include "golden.hpp"
#include "profile/ncu.hpp"
#include "profile/ptxas.hpp"
#include "profile/sanitizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

ToolFinding ncu(const std::string& what, double value, const std::string& kernel = "k()") {
  return {.tool = "ncu",
          .what = what,
          .value = value,
          .unit = "%",
          .meaning = what,
          .where = {.kernel = kernel}};
}

// A kernel that takes 100 us, on which the only advice names its limit.
std::vector<ToolFinding> sound(std::vector<ToolFinding> more = {}) {
  std::vector<ToolFinding> findings{ncu("duration", 100),
                                    ncu("launches", 1),
                                    ncu("sm_throughput", 30),
                                    ncu("memory_throughput", 90),
                                    ncu("dram_throughput", 90),
                                    ncu("theoretical_occupancy", 100),
                                    ncu("bytes_per_sector_loaded", 32),
                                    ncu("sectors_per_load", 16),
                                    ncu("bank_conflicts_loading", 2),
                                    ncu("l1_throughput", 50),
                                    ncu("instructions", 1000),
                                    ncu("local_loads", 0),
                                    ncu("local_stores", 0),
                                    ncu("grid_size", 5280),
                                    ncu("sm_count", 132),
                                    ncu("waves_per_sm", 10),
                                    ncu("active_threads_per_warp", 32)};
  for (const ToolFinding& finding : more) {
    std::erase_if(findings, [&](const ToolFinding& f) { return f.what == finding.what; });
    findings.push_back(finding);
  }
  return findings;
}

const Advice* find(const std::vector<Advice>& all, const std::string& rule) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Advice& a) { return a.rule == rule; });
  return found == all.end() ? nullptr : &*found;
}

TEST(Advise, SaysNothingWithoutFindings) {
  EXPECT_THAT(advise({}), IsEmpty());
  EXPECT_THAT(advise(ptxas_findings("ptxas info    : 0 bytes gmem\n")), IsEmpty());
}

TEST(Advise, EveryAdviceHasItsFindings) {
  std::vector<ToolFinding> findings = ncu_findings(parse_ncu(golden("ncu_raw.csv")));
  for (ToolFinding& f : sanitizer_findings("racecheck", golden("racecheck_analysis.txt"))) {
    findings.push_back(f);
  }
  const auto all = advise(findings);
  EXPECT_GE(all.size(), 5);
  for (const Advice& advice : all) {
    EXPECT_THAT(advice.because, Not(IsEmpty())) << advice.rule;
    for (const ToolFinding& finding : advice.because) EXPECT_THAT(findings, Contains(finding));
  }
}

TEST(Advise, TellsTheClassOfTheRoofline) {
  EXPECT_THAT(rules_of(sound()), testing::ElementsAre("memory_bound"));
  EXPECT_THAT(rules_of(sound({ncu("sm_throughput", 95)})), testing::ElementsAre("compute_bound"));
  EXPECT_THAT(rules_of(sound({ncu("memory_throughput", 20)})),
              testing::ElementsAre("latency_bound"));
}

TEST(Advise, NamesWhatALatencyBoundKernelWaitsFor) {
  const auto all = advise(sound(
      {ncu("memory_throughput", 20), ncu("stall_wait", 20), ncu("stall_long_scoreboard", 60)}));
  const Advice* advice = find(all, "latency_bound");
  ASSERT_NE(advice, nullptr);
  EXPECT_THAT(advice->text, AllOf(HasSubstr("60 %"), HasSubstr("loads in flight")));
  EXPECT_THAT(advice->because, Contains(Field(&ToolFinding::what, "stall_long_scoreboard")));
}

TEST(Advise, NamesNothingThatTheSourceDoes) {
  const auto waits = sound({ncu("memory_throughput", 20), ncu("stall_long_scoreboard", 60)});
  EXPECT_THAT(advise(waits, "float x;").at(0).text,
              HasSubstr("several elements a thread, wider loads, cp.async or more warps."));
  EXPECT_THAT(advise(waits, "const float4* x; asm(\"cp.async.ca\");").at(0).text,
              HasSubstr("several elements a thread or more warps."));
  const auto queues = sound({ncu("memory_throughput", 20), ncu("stall_lg_throttle", 60)});
  EXPECT_THAT(advise(queues, "float x;").at(0).text, HasSubstr("into wider ones."));
  EXPECT_THAT(advise(queues, "float4 x;").at(0).text, Not(HasSubstr("wider")));
  const auto few = sound({ncu("memory_throughput", 20), ncu("theoretical_occupancy", 25),
                          ncu("block_limit_registers", 2)});
  const auto occupancy = [&](std::string_view source) {
    return find(advise(few, source), "occupancy")->text;
  };
  EXPECT_THAT(occupancy("int x;"), HasSubstr("__launch_bounds__"));
  EXPECT_THAT(occupancy("__global__ void __launch_bounds__(64) k();"),
              Not(HasSubstr("__launch_bounds__")));
}

TEST(Advise, GivesAchievedBesidePossibleRates) {
  EXPECT_THAT(advise(sound({ncu("dram_bandwidth", 2700)})).at(0).text,
              HasSubstr("Device memory moves 2700 of 3000 GB/s."));
  EXPECT_THAT(advise(sound()).at(0).text, Not(HasSubstr("GB/s")));
}

TEST(Advise, SendsMatrixProductsToIdleTensorCores) {
  const auto all =
      advise(sound({ncu("sm_throughput", 95), ncu("fp32_pipe", 90), ncu("tensor_pipe", 0)}));
  EXPECT_THAT(all.front().text, HasSubstr("Tensor cores are idle"));
}

TEST(Advise, NamesEveryLimiterOfOccupancy) {
  const auto all = advise(sound({ncu("memory_throughput", 20), ncu("theoretical_occupancy", 25),
                                 ncu("block_limit_registers", 2), ncu("block_limit_warps", 8),
                                 ncu("block_limit_shared_memory", 2)}));
  const Advice* advice = find(all, "occupancy");
  ASSERT_NE(advice, nullptr);
  EXPECT_THAT(advice->text,
              AllOf(HasSubstr("25 %"), HasSubstr("2 blocks"),
                    HasSubstr("registers and shared memory"), Not(HasSubstr("size of the block"))));
  // More warps do not help a kernel that keeps memory busy.
  EXPECT_THAT(rules_of(sound({ncu("theoretical_occupancy", 25), ncu("block_limit_registers", 2)})),
              Not(Contains("occupancy")));
}

TEST(Advise, KnowsUncoalescedAccessFromABroadcast) {
  EXPECT_THAT(rules_of(sound({ncu("bytes_per_sector_loaded", 4), ncu("sectors_per_load", 32)})),
              Contains("uncoalesced"));
  EXPECT_THAT(rules_of(sound({ncu("bytes_per_sector_loaded", 4), ncu("sectors_per_load", 1)})),
              Not(Contains("uncoalesced")));
  EXPECT_THAT(rules_of(sound({ncu("bytes_per_sector_stored", 8), ncu("sectors_per_store", 16)})),
              Contains("uncoalesced"));
}

TEST(Advise, WeighsBankConflictsByTheUseOfSharedMemory) {
  const auto all = advise(sound({ncu("bank_conflicts_storing", 80)}));
  const Advice* advice = find(all, "bank_conflicts");
  ASSERT_NE(advice, nullptr);
  EXPECT_DOUBLE_EQ(advice->stake, 0.4);
  EXPECT_THAT(rules_of(sound({ncu("bank_conflicts_storing", 19)})),
              Not(Contains("bank_conflicts")));
}

TEST(Advise, TakesSpillsFromPtxasAloneOrWithTheirCount) {
  const std::vector<ToolFinding> ptxas = ptxas_findings(golden("ptxas.txt"));
  const auto all = advise(ptxas);
  ASSERT_EQ(all.size(), 1);
  EXPECT_EQ(all[0].rule, "spills");
  EXPECT_EQ(all[0].kernel, "sums(float*, int)");
  EXPECT_THAT(all[0].text, HasSubstr("spills 800 bytes"));

  ToolFinding spill = ptxas[0];
  spill.what = "spill_stores";
  spill.value = 64;
  spill.where.kernel = "k()";
  std::vector<ToolFinding> findings = sound({ncu("local_loads", 150), ncu("local_stores", 50)});
  EXPECT_THAT(rules_of(findings), Contains("local_arrays"));
  findings.push_back(spill);
  const auto measured = advise(findings);
  ASSERT_NE(find(measured, "spills"), nullptr);
  EXPECT_DOUBLE_EQ(find(measured, "spills")->stake, 0.2);
}

TEST(Advise, LeavesOutKernelsThatTheCallDoesNotLaunch) {
  std::vector<ToolFinding> findings = sound();
  for (ToolFinding& f : ptxas_findings(golden("ptxas.txt"))) findings.push_back(f);
  EXPECT_THAT(rules_of(findings), Not(Contains("spills")));
}

TEST(Advise, TellsATailFromASmallGrid) {
  EXPECT_THAT(rules_of(sound({ncu("waves_per_sm", 1.25)})), Contains("tail_effect"));
  EXPECT_THAT(rules_of(sound({ncu("waves_per_sm", 9.25)})), Not(Contains("tail_effect")));
  EXPECT_THAT(rules_of(sound({ncu("waves_per_sm", 2)})), Not(Contains("tail_effect")));
  const auto all = advise(sound({ncu("waves_per_sm", 0.1), ncu("grid_size", 33)}));
  ASSERT_NE(find(all, "small_grid"), nullptr);
  EXPECT_DOUBLE_EQ(find(all, "small_grid")->stake, 0.75);
}

TEST(Advise, CountsLaunchesOfAllKernels) {
  const auto tiny = [](const std::string& kernel, double launches) {
    return std::vector{ncu("duration", 2 * launches, kernel), ncu("launches", launches, kernel)};
  };
  std::vector<ToolFinding> findings = tiny("a()", 3);
  EXPECT_THAT(rules_of(findings), testing::ElementsAre("launch_bound"));
  EXPECT_THAT(rules_of(tiny("a()", 2)), IsEmpty());
  for (const ToolFinding& f : tiny("b()", 1)) findings.push_back(f);
  const auto all = advise(findings);
  ASSERT_EQ(all.size(), 1);
  EXPECT_DOUBLE_EQ(all[0].stake, 0.5);
  EXPECT_THAT(all[0].text, HasSubstr("4 launches of 2.0 us"));
}

ToolFinding cupti(const std::string& what, double value, const std::string& kernel = "") {
  ToolFinding finding = ncu(what, value, kernel);
  finding.tool = "cupti";
  return finding;
}

TEST(Advise, BelievesMeasuredGapsMoreThanUsualOnes) {
  std::vector<ToolFinding> findings{ncu("duration", 8, "a()"), ncu("launches", 4, "a()"),
                                    cupti("span", 8.2), cupti("idle", 3)};
  EXPECT_THAT(rules_of(findings), IsEmpty());
  findings.back() = cupti("idle", 45);
  const auto all = advise(findings);
  ASSERT_EQ(all.size(), 1);
  EXPECT_EQ(all[0].rule, "launch_bound");
  EXPECT_DOUBLE_EQ(all[0].stake, 0.45);
  EXPECT_THAT(all[0].text, HasSubstr("45 % of the 8.2 us"));
}

TEST(Advise, SeesCopiesToAndFromTheHost) {
  std::vector<ToolFinding> findings{cupti("span", 10), cupti("idle", 0),
                                    cupti("copies_device_to_device", 5)};
  EXPECT_THAT(rules_of(findings), IsEmpty());
  findings.push_back(cupti("copies_device_to_host", 2));
  findings.push_back(cupti("copies_host_to_device", 1));
  const auto all = advise(findings);
  ASSERT_EQ(all.size(), 1);
  EXPECT_EQ(all[0].rule, "host_copies");
  EXPECT_DOUBLE_EQ(all[0].stake, 0.3);
}

TEST(Advise, KnowsFromATraceWhatIsLaunchedAndHowLongItTakes) {
  std::vector<ToolFinding> findings = ptxas_findings(golden("ptxas.txt"));
  const auto alone = advise(findings);
  ASSERT_NE(find(alone, "spills"), nullptr);
  const std::string spilling = find(alone, "spills")->kernel;
  findings.push_back(cupti("duration", 30, "other()"));
  EXPECT_THAT(rules_of(findings), Not(Contains("spills")));
  findings.push_back(cupti("duration", 10, spilling));
  const auto traced = advise(findings);
  ASSERT_NE(find(traced, "spills"), nullptr);
  EXPECT_DOUBLE_EQ(find(traced, "spills")->stake, find(alone, "spills")->stake / 4);
}

TEST(Advise, SeesDivergence) {
  EXPECT_THAT(rules_of(sound({ncu("active_threads_per_warp", 9)})), Contains("divergence"));
  EXPECT_THAT(rules_of(sound({ncu("active_threads_per_warp", 30)})), Not(Contains("divergence")));
}

TEST(Advise, PutsErrorsFirstAndTheKernelThatTakesTheTimeBeforeTheOther) {
  std::vector<ToolFinding> findings{
      ncu("duration", 10, "short()"),         ncu("sm_throughput", 5, "short()"),
      ncu("memory_throughput", 5, "short()"), ncu("duration", 90, "long()"),
      ncu("sm_throughput", 40, "long()"),     ncu("memory_throughput", 40, "long()")};
  for (ToolFinding& f : sanitizer_findings("racecheck", golden("racecheck_analysis.txt"))) {
    findings.push_back(f);
  }
  const auto all = advise(findings);
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0].rule, "unsafe");
  EXPECT_THAT(all[0].text, AllOf(HasSubstr("racecheck"), HasSubstr("planted.cu:5")));
  EXPECT_EQ(all[1].kernel, "long()");
  EXPECT_EQ(all[2].kernel, "short()");
}

TEST(Advise, ReadsBackFromJsonAsItWas) {
  const auto all = advise(sound());
  EXPECT_EQ(nlohmann::json(all).get<std::vector<Advice>>(), all);
}

}  // namespace
}  // namespace robust_kbench
