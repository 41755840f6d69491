#include "profile/cupti.hpp"

#include "found.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using Kind = CudaActivity::Kind;

// Times are microseconds after the first activity.
CudaActivity activity(Kind kind, const std::string& name, double start, double end,
                      std::uint64_t bytes = 0) {
  constexpr std::uint64_t epoch = 1'700'000'000'000'000'000;
  const auto at = [](double us) { return epoch + static_cast<std::uint64_t>(1000 * us); };
  return {.kind = kind, .name = name, .start_ns = at(start), .end_ns = at(end), .bytes = bytes};
}

TEST(Cupti, AddsUpTheLaunchesOfEachKernel) {
  const auto findings = cupti_findings({activity(Kind::kernel, "_Z1aPf", 0, 4),
                                        activity(Kind::kernel, "_Z1bPf", 4, 5),
                                        activity(Kind::kernel, "_Z1aPf", 6, 10)});
  EXPECT_EQ(value(findings, "launches", "a(float*)"), 2);
  EXPECT_DOUBLE_EQ(value(findings, "duration", "a(float*)"), 8);
  EXPECT_EQ(value(findings, "launches", "b(float*)"), 1);
  EXPECT_DOUBLE_EQ(value(findings, "span"), 10);
  EXPECT_DOUBLE_EQ(value(findings, "idle"), 10);
  for (const ToolFinding& finding : findings) EXPECT_EQ(finding.tool, "cupti");
}

TEST(Cupti, CountsTimeOnceInWhichSeveralRun) {
  const auto findings =
      cupti_findings({activity(Kind::kernel, "long", 0, 8), activity(Kind::kernel, "within", 1, 3),
                      activity(Kind::kernel, "beyond", 6, 10)});
  EXPECT_DOUBLE_EQ(value(findings, "span"), 10);
  EXPECT_DOUBLE_EQ(value(findings, "idle"), 0);
}

TEST(Cupti, TellsCopiesByTheirDirection) {
  const auto findings = cupti_findings({activity(Kind::copy, "device to host", 0, 2, 4096),
                                        activity(Kind::copy, "device to device", 2, 3, 64),
                                        activity(Kind::copy, "device to host", 3, 5, 4),
                                        activity(Kind::memset, "", 5, 6, 128)});
  EXPECT_DOUBLE_EQ(value(findings, "copies_device_to_host"), 4);
  EXPECT_DOUBLE_EQ(value(findings, "copies_device_to_device"), 1);
  EXPECT_DOUBLE_EQ(value(findings, "memsets"), 1);
  EXPECT_THAT(findings, testing::Contains(testing::Field(&ToolFinding::meaning,
                                                         testing::HasSubstr("2 of 4100 bytes"))));
}

TEST(Cupti, SaysNothingOfACallThatDoesNothing) {
  EXPECT_THAT(cupti_findings({}), testing::IsEmpty());
}

TEST(Cupti, OfACallWithoutLengthNoPartIsIdle) {
  EXPECT_DOUBLE_EQ(value(cupti_findings({activity(Kind::kernel, "k", 1, 1)}), "idle"), 0);
}

}  // namespace
}  // namespace robust_kbench
