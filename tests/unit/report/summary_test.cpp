#include "report/summary.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TimingRecord timing(const std::string& subject, double us) {
  return {.subject = subject, .median_us = us};
}

ConfigTimingRecord config(const std::string& name, double eager_us, double ratio) {
  return {.config = name,
          .subjects = {timing("kernel", 10), timing("eager", eager_us)},
          .speedups = {{"eager", ratio, ratio, ratio, RatioCall::faster}}};
}

KernelRecord passing_kernel() {
  return {.name = "fused",
          .entry = {"layernorm", Direction::forward},
          .judgement = passed(),
          .cases = {{.name = "a", .judgement = passed()}, {.name = "b", .judgement = passed()}},
          .timings = {config("a", 20, 2), config("b", 80, 8)},
          .mean_speedups = {{"eager", 4, 3.9, 4.1, RatioCall::faster}}};
}

TEST(FormatTime, KeepsThreeFiguresAndPicksTheUnit) {
  EXPECT_EQ(format_time(3.214), "3.21 us");
  EXPECT_EQ(format_time(45.67), "45.7 us");
  EXPECT_EQ(format_time(1234), "1.23 ms");
  EXPECT_EQ(format_time(2.5e6), "2.50 s");
  EXPECT_EQ(format_time(std::nan("")), "-");
}

TEST(SummaryTable, ShowsGeometricMeansOverTheConfigs) {
  EXPECT_EQ(summary_table({passing_kernel()}).console(),
            "task       direction  kernel  verdict  scope  cases  kernel time  eager time  "
            "speed-up  95 % interval  of configs  asks for\n"
            "layernorm  forward    fused   pass     full     2/2      10.0 us     40.0 us     "
            "4.00x     3.90..4.10  2.00..8.00         -\n");
}

TEST(SummaryTable, NamesTheClassOfACheat) {
  KernelRecord kernel = passing_kernel();
  kernel.judgement = cheat(CheatClass::late_write, "late");
  const std::string table = summary_table({kernel}).console();
  EXPECT_NE(table.find("cheat (late_write)"), std::string::npos);
}

TEST(SummaryTable, CountsTheCasesThatWereNotCalled) {
  KernelRecord kernel = passing_kernel();
  kernel.cases[0].judgement = wrong_result("off by one");
  kernel.cases_not_called = 39;
  const std::string table = summary_table({kernel}).console();
  EXPECT_NE(table.find(" 1/41, 39 not called "), std::string::npos) << table;
}

TEST(SummaryTable, ShowsRefusalsAndTheScope) {
  KernelRecord kernel = passing_kernel();
  kernel.cases[1].refused = true;
  kernel.cases[1].judgement.verdict = Verdict::skipped;
  const std::string table = summary_table({kernel}).console();
  EXPECT_NE(table.find(" full "), std::string::npos) << table;
  EXPECT_NE(table.find(" 1/2, 1 refused "), std::string::npos) << table;
  EXPECT_EQ(totals({kernel}),
            "1 kernel: 1 passed, 0 rejected, 0 skipped; 1 of 2 cases passed, 1 refused");
  kernel.coverage = Coverage::listed;
  EXPECT_NE(summary_table({kernel}).console().find(" listed "), std::string::npos);
}

TEST(TimingTable, HasOneRowAConfigAndBaseline) {
  const std::string table = timing_table(passing_kernel()).console();
  EXPECT_NE(table.find("80.0 us"), std::string::npos);
  EXPECT_NE(table.find("8.00x"), std::string::npos);
  EXPECT_NE(table.find("faster than eager"), std::string::npos);
}

TEST(TimingTable, EndsWithTheMeansOverTheConfigs) {
  KernelRecord kernel = passing_kernel();
  EXPECT_NE(
      timing_table(kernel).console().find(
          "\nall configs  eager        10.0 us       40.0 us     4.00x     3.90..4.10  faster "
          "than eager\n"),
      std::string::npos)
      << timing_table(kernel).console();
  kernel.timings.pop_back();
  EXPECT_EQ(timing_table(kernel).console().find("all configs"), std::string::npos);
}

TEST(TimingTable, ShowsTheSpeedUpOfReplaysWhereBothWereReplayed) {
  KernelRecord kernel = passing_kernel();
  EXPECT_EQ(timing_table(kernel).console().find("replayed"), std::string::npos);
  kernel.timings.front().speedups.front().replayed = 3.25;
  const std::string table = timing_table(kernel).console();
  EXPECT_NE(table.find("replayed"), std::string::npos) << table;
  EXPECT_NE(table.find("3.25x"), std::string::npos) << table;
}

TEST(SummaryTable, ShowsTheMeanSpeedUpOfReplaysWhereAKernelHasOne) {
  KernelRecord replayed = passing_kernel();
  EXPECT_EQ(summary_table({replayed}).console().find("replayed"), std::string::npos);
  replayed.mean_speedups.front().replayed = 3.25;
  const std::string table = summary_table({passing_kernel(), replayed}).console();
  EXPECT_NE(table.find("3.90..4.10     3.25x"), std::string::npos) << table;
  EXPECT_NE(table.find("3.90..4.10         -"), std::string::npos) << table;
}

TEST(SummaryTable, ShowsARatioThatTwoDecimalsWouldRoundToZero) {
  KernelRecord kernel = passing_kernel();
  kernel.mean_speedups = {{"eager", 0.00021, 0.0002, 0.00022, RatioCall::slower}};
  const std::string table = summary_table({kernel}).console();
  EXPECT_NE(table.find("0.00021x"), std::string::npos) << table;
  EXPECT_NE(table.find("0.0002..0.00022"), std::string::npos) << table;
  EXPECT_EQ(table.find("0.00x"), std::string::npos) << table;
}

TEST(SummaryTable, NamesKernelsThatAreTooSlowToTime) {
  KernelRecord kernel = passing_kernel();
  kernel.timings.clear();
  kernel.mean_speedups.clear();
  kernel.timing_note = "small/a: too slow to time, since a call took 2.51 s";
  EXPECT_NE(summary_table({kernel}).console().find("too slow to time"), std::string::npos);
  EXPECT_EQ(remarks({kernel}), "layernorm.forward.fused: " + kernel.timing_note + "\n");
}

TEST(Remarks, SayWhyAKernelWasNotReplayed) {
  KernelRecord kernel = passing_kernel();
  kernel.judged = JudgedRecord{.by_replay = false, .reason = "calls cuTexObjectCreate"};
  EXPECT_NE(remarks({kernel}).find("judged in its own process, since it cannot be replayed: calls "
                                   "cuTexObjectCreate\n"),
            std::string::npos);
  kernel.judged = JudgedRecord{.by_replay = true, .reason = ""};
  EXPECT_NE(remarks({kernel}).find("judged by a replay without its host code\n"),
            std::string::npos);
}

TEST(Remarks, AreEmptyWithoutAnythingToRemark) {
  EXPECT_EQ(remarks({passing_kernel()}), "");
}

TEST(Remarks, SayWhyAMeanIsDoubted) {
  KernelRecord kernel = passing_kernel();
  kernel.timings[0].disturbance = "the machine was busy";
  kernel.timings[0].busy_cpus = 1.26;
  kernel.mean_speedups = {
      {"eager", 0.16, 0.01, 0.61, RatioCall::ambiguous, "the machine was busy"}};
  EXPECT_EQ(remarks({kernel}),
            "layernorm.forward.fused: the machine was busy: not told apart from eager, 0.16x (95 % "
            "interval 0.01..0.61; others kept up to 1.3 processors busy)\n");
}

TEST(Remarks, TellHowARaceEnded) {
  KernelRecord kernel = passing_kernel();
  kernel.mean_speedups.push_back({"base.cpp", 1.25, 1.2, 1.3, RatioCall::faster});
  kernel.rivals = {{"base.cpp", "/k/base.cpp", passed()},
                   {"odd.cpp", "/k/odd.cpp", wrong_result("off by one")}};
  EXPECT_EQ(remarks({kernel}),
            "layernorm.forward.fused: faster than base.cpp, 1.25x (95 % interval 1.20..1.30)\n"
            "layernorm.forward.fused: no race against odd.cpp: wrong_result\n  off by one\n");
}

TEST(EstimateTable, HasOneRowAConfigAndEstimator) {
  KernelRecord kernel = passing_kernel();
  kernel.timings = {config("a", 20, 2)};
  kernel.timings[0].subjects[0].hot_us = 8;
  kernel.timings[0].subjects[0].latency_us = 15;
  kernel.timings[0].estimates = {{.subject = "kernel",
                                  .estimator = "graph",
                                  .time_us = 0,
                                  .note = "the capture records nothing"}};
  EXPECT_EQ(estimate_table(kernel).console(),
            "config  estimator   kernel    eager  of the kernel\n"
            "a       robust     10.0 us  20.0 us\n"
            "a       hot        8.00 us        -\n"
            "a       latency    15.0 us        -\n"
            "a       graph            -        -  the capture records nothing\n");
}

TEST(Rejections, TellTheReasonOfEachRejectedKernelAndNothingOfTheOthers) {
  KernelRecord rejected = passing_kernel();
  rejected.name = "hasty";
  rejected.judgement = wrong_result("off by one");
  EXPECT_EQ(rejections({passing_kernel(), rejected}),
            "layernorm.forward.hasty: wrong_result\n  off by one\n");
}

TEST(Rejections, SayWhyAKernelWasSkipped) {
  KernelRecord skipped = passing_kernel();
  skipped.judgement = {.verdict = Verdict::skipped, .reason = "no NVIDIA driver"};
  EXPECT_EQ(rejections({skipped}), "layernorm.forward.fused: skipped\n  no NVIDIA driver\n");
}

TEST(Totals, CountKernelsAndCases) {
  KernelRecord rejected = passing_kernel();
  rejected.judgement = wrong_result("off by one");
  rejected.cases[0].judgement = wrong_result("off by one");
  EXPECT_EQ(totals({passing_kernel(), rejected}),
            "2 kernels: 1 passed, 1 rejected, 0 skipped; 3 of 4 cases passed");
  rejected.cases_not_called = 39;
  EXPECT_EQ(totals({passing_kernel(), rejected}),
            "2 kernels: 1 passed, 1 rejected, 0 skipped; 3 of 43 cases passed, 39 not called");
}

}  // namespace
}  // namespace robust_kbench
