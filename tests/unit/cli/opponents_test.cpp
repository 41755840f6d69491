#include "cli/opponents.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

KernelRecord raced(const std::string& against, double low, double high, RatioCall call) {
  KernelRecord record;
  record.name = "edit";
  record.judgement = passed();
  record.timings.emplace_back();
  record.mean_speedups = {
      {.against = against, .ratio = low, .ci_low = low, .ci_high = high, .call = call}};
  return record;
}

std::string failure(const std::string& fail_if, const KernelRecord& record) {
  return SlowerLimit(fail_if).failure(record, {"base.cpp"});
}

TEST(SlowerLimitTest, FailsAKernelThatIsProvenSlower) {
  const KernelRecord slower = raced("base.cpp", 0.9, 0.94, RatioCall::slower);
  EXPECT_EQ(failure("slower", slower), "slower than base.cpp: 0.90x, 95 % interval 0.90..0.94");
  // 1 / 1.05 is 0.952, and 1 / 1.07 is 0.935.
  EXPECT_THAT(failure("slower:5", slower), HasSubstr("slower than base.cpp"));
  EXPECT_EQ(failure("slower:7", slower), "");
}

TEST(SlowerLimitTest, PassesAKernelThatCannotBeToldApart) {
  const KernelRecord unclear = raced("base.cpp", 0.8, 1.01, RatioCall::ambiguous);
  EXPECT_EQ(failure("slower", unclear), "");
  EXPECT_EQ(failure("slower:0", unclear), "");
  KernelRecord doubted = raced("base.cpp", 0.1, 0.9, RatioCall::ambiguous);
  doubted.mean_speedups[0].doubt = "the machine was busy";
  EXPECT_EQ(failure("slower", doubted), "");
  EXPECT_EQ(failure("slower:0", doubted), "");
}

TEST(SlowerLimitTest, PassesAKernelThatIsFasterOrTheSame) {
  EXPECT_EQ(failure("slower", raced("base.cpp", 0.99, 1.01, RatioCall::same)), "");
  EXPECT_EQ(failure("slower:0", raced("base.cpp", 1.2, 1.3, RatioCall::faster)), "");
}

TEST(SlowerLimitTest, FailsAKernelThatIsTooSlowToTime) {
  KernelRecord slow;
  slow.timing_note = "small/a: too slow to time, since a call took 2.51 s";
  EXPECT_EQ(failure("slower", slow), slow.timing_note);
}

TEST(SlowerLimitTest, AsksForSomethingToCompareWith) {
  try {
    failure("slower", raced("eager", 1, 2, RatioCall::faster));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("edit was not timed against base.cpp"));
  }
}

TEST(SlowerLimitTest, RefusesAnUnknownLimit) {
  for (const char* wrong :
       {"", "faster", "slower:", "slower:-1", "slower:x", "slower:5%", "slower:nan"}) {
    EXPECT_THROW(SlowerLimit{wrong}, UserError) << wrong;
  }
}

int exit_code_after(const OpponentOptions& options, const KernelRecord& record, int before) {
  const std::vector<KernelRecord> records{record};
  return SlowerKernels(options, records).tell(before);
}

TEST(SlowerKernelsTest, ChangesTheExitCodeOfAPassAlone) {
  const OpponentOptions options{.against = {"base.cpp"}, .fail_if = "slower"};
  const KernelRecord slower = raced("base.cpp", 0.8, 0.9, RatioCall::slower);
  EXPECT_EQ(exit_code_after(options, slower, ExitCode::pass), ExitCode::rejected);
  EXPECT_EQ(exit_code_after({.against = {"base.cpp"}}, slower, ExitCode::pass), ExitCode::pass);
  KernelRecord rejected;
  rejected.judgement.verdict = Verdict::crash;
  EXPECT_EQ(exit_code_after(options, rejected, ExitCode::rejected), ExitCode::rejected);
  EXPECT_EQ(exit_code_after(options, slower, ExitCode::harness_error), ExitCode::harness_error);
}

TEST(SlowerKernelsTest, ReportsBaselinesAndLeavesTheRestOfTheReportAlone) {
  struct Failures : Reporter {
    void failed(const KernelRecord& record, const std::string& why) override {
      told.push_back(record.name + ": " + why);
    }
    std::vector<std::string> told;
  } failures;
  const std::vector<KernelRecord> records{raced("eager", 0.5, 0.6, RatioCall::slower),
                                          raced("compile", 0.5, 0.6, RatioCall::slower)};
  const SlowerKernels slower({.against = {"eager"}, .fail_if = "slower"}, records);
  slower.report(failures);
  EXPECT_EQ(failures.told,
            std::vector<std::string>{"edit: --fail-if slower: slower than eager: 0.50x, 95 % "
                                     "interval 0.50..0.60"});
  // The second kernel was not timed against eager, which is said after the report.
  EXPECT_THROW((void)slower.tell(ExitCode::pass), UserError);
}

}  // namespace
}  // namespace robust_kbench
