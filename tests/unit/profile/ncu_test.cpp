#include "profile/ncu.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "found.hpp"
#include "golden.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

const std::string strided = "strided(const float *, float *, int)";
const std::string conflicts = "conflicts(float *)";

const ToolFinding* finding_of(const std::vector<ToolFinding>& findings, const std::string& kernel,
                              const std::string& what) {
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const ToolFinding& f) {
    return f.where.kernel == kernel && f.what == what;
  });
  return found == findings.end() ? nullptr : &*found;
}

TEST(Ncu, PutsTheLaunchesOfEachKernelTogether) {
  const auto kernels = parse_ncu(golden("ncu_raw.csv"));
  ASSERT_THAT(kernels, SizeIs(2));
  EXPECT_EQ(kernels[0].name, strided);
  EXPECT_EQ(kernels[0].launches, 2);
  EXPECT_EQ(kernels[0].metrics.at("gpu__time_duration.sum"), 7488 + 7296);
  // Launches are weighted by duration: (43.39 * 7488 + 41.02 * 7296) / (7488 + 7296).
  EXPECT_NEAR(kernels[0].metrics.at("lts__t_sector_hit_rate.pct"), 42.22, 0.01);
  EXPECT_EQ(kernels[1].name, conflicts);
  EXPECT_EQ(kernels[1].launches, 1);
}

TEST(Ncu, FindsWhatTheKernelsWereWrittenToShow) {
  const auto findings = ncu_findings(parse_ncu(golden("ncu_raw.csv")));
  EXPECT_EQ(value(findings, "launches", strided), 2);
  EXPECT_NEAR(value(findings, "duration", strided), 14.784, 1e-9);
  EXPECT_EQ(value(findings, "registers", strided), 16);
  EXPECT_EQ(value(findings, "theoretical_occupancy", strided), 100);
  EXPECT_NEAR(value(findings, "achieved_occupancy", strided), 35, 0.2);
  EXPECT_EQ(value(findings, "sectors_per_load", strided), 32);
  EXPECT_EQ(value(findings, "bytes_per_sector_loaded", strided), 4);
  EXPECT_EQ(value(findings, "waves_per_sm", strided), 0.48);
  EXPECT_NEAR(value(findings, "stall_long_scoreboard", strided), 63.5, 1.5);

  EXPECT_EQ(value(findings, "bank_conflicts_loading", conflicts), 87.5);
  EXPECT_EQ(value(findings, "bank_conflicts_storing", conflicts), 87.5);
  EXPECT_EQ(value(findings, "static_shared_memory", conflicts), 4096);
  EXPECT_EQ(value(findings, "theoretical_occupancy", conflicts), 50);
  EXPECT_EQ(value(findings, "block_limit_shared_memory", conflicts), 32);
  EXPECT_EQ(finding_of(findings, conflicts, "bytes_per_sector_loaded"), nullptr);
  EXPECT_EQ(finding_of(findings, conflicts, "sectors_per_load"), nullptr);
}

std::string table(const std::string& names, const std::string& units,
                  const std::vector<std::string>& rows) {
  std::string text = "\"ID\",\"Kernel Name\"," + names + "\n\"\",\"\"," + units + "\n";
  for (const std::string& row : rows) text += row + "\n";
  return text;
}

TEST(Ncu, LeavesOutWhatTheGpuDoesNotHave) {
  const auto findings = ncu_findings(parse_ncu(
      table(R"("gpu__time_duration.sum","lts__t_sector_hit_rate.pct","sm__throughput.avg.pct")",
            R"("ns","%","%")", {R"("0","_Z1kPf","1,500","n/a","no data")"})));
  EXPECT_EQ(value(findings, "duration", "k(float*)"), 1.5);
  EXPECT_EQ(finding_of(findings, "k(float*)", "l2_hit_rate"), nullptr);
  EXPECT_THAT(findings, SizeIs(2));
}

TEST(Ncu, ReadsNamesWithCommasAndQuotes) {
  const auto kernels = parse_ncu(table(R"("gpu__time_duration.sum")", R"("ns")",
                                       {R"csv("0","void k<'""', 2>(int, int)","7")csv"}));
  ASSERT_THAT(kernels, SizeIs(1));
  EXPECT_EQ(kernels[0].name, "void k<'\"', 2>(int, int)");
}

TEST(Ncu, ACallWithoutKernelsIsNoError) {
  EXPECT_TRUE(parse_ncu("==PROF== Connected to process 1 (k)\n"
                        "==WARNING== No kernels were profiled.\n")
                  .empty());
}

TEST(Ncu, SaysWhyThereIsNoTable) {
  try {
    (void)parse_ncu("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n");
    FAIL() << "no UserError";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("run as root"));
  }
  try {
    (void)parse_ncu("==ERROR== The application returned an error code (9).\n");
    FAIL() << "no HarnessError";
  } catch (const HarnessError& error) {
    EXPECT_THAT(error.what(), HasSubstr("returned an error code (9)"));
  }
  EXPECT_THROW((void)parse_ncu(""), HarnessError);
}

TEST(Ncu, AsksForNamedMetricsAsCsv) {
  const std::vector<std::string> arguments = ncu_arguments();
  EXPECT_THAT(arguments, AllOf(Contains("--csv"), Contains("raw"), Contains("--metrics")));
  EXPECT_THAT(arguments.back(), AllOf(HasSubstr(",gpu__time_duration.sum,"),
                                      HasSubstr("issue_stalled_long_scoreboard_per")));
}

}  // namespace
}  // namespace robust_kbench
