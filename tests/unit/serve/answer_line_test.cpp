#include "serve/answer_line.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

TEST(FinalLine, HasTheSpeedUpsOverTheFirstBaseline) {
  KernelRecord record{.name = "kernel", .judgement = passed()};
  record.mean_speedups = {
      {.against = "compile", .ratio = 1.5, .ci_low = 1.4, .ci_high = 1.6, .replayed = 1.2},
      {.against = "eager", .ratio = 4, .ci_low = 3, .ci_high = 5}};
  const nlohmann::json over_compile = final_line("1", record, Stage::time, {"compile", "eager"});
  EXPECT_EQ(over_compile["against"], "compile");
  EXPECT_EQ(over_compile["speedup"], 1.5);
  EXPECT_EQ(over_compile["speedup_low"], 1.4);
  EXPECT_EQ(over_compile["speedup_high"], 1.6);
  EXPECT_EQ(over_compile["speedup_replayed"], 1.2);
  const nlohmann::json over_eager = final_line("1", record, Stage::time, {"eager"});
  EXPECT_EQ(over_eager["speedup_low"], 3);
  EXPECT_EQ(over_eager["speedup_replayed"], nullptr);
}

}  // namespace
}  // namespace robust_kbench
