#include "cli/solutions/fast_p.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::Not;

CaseRecord trial(const std::string& name, std::optional<bool> close, Verdict verdict) {
  CaseRecord record{.name = name, .judgement = {.verdict = verdict}, .errors = {}};
  if (close) record.errors = {{.name = "output", .kernelbench_close = close}};
  return record;
}

// Five trials on the problem's own shape, and one on a smaller.
KernelRecord solution(const std::string& name, std::optional<bool> close, Verdict verdict,
                      double speedup = 0) {
  KernelRecord record{.name = name, .judgement = {.verdict = verdict}};
  record.build.judgement = passed();
  for (int i = 1; i <= 5; ++i) {
    record.cases.push_back(trial("single/default/seed_" + std::to_string(i), close, verdict));
  }
  record.cases.push_back(trial("small/batch_3/seed_1", false, verdict));
  if (speedup > 0) record.mean_speedups = {{.against = "eager", .ratio = speedup}};
  return record;
}

TEST(FastP, KernelBenchLooksAtItsOneShapeAlone) {
  EXPECT_EQ(kernelbench_accepts(solution("a", true, Verdict::wrong_result)), true);
  EXPECT_EQ(kernelbench_accepts(solution("a", false, Verdict::wrong_result)), false);
  KernelRecord one_off = solution("a", true, Verdict::wrong_result);
  one_off.cases[3].errors[0].kernelbench_close = false;
  EXPECT_EQ(kernelbench_accepts(one_off), false);
  one_off.cases[3].asks = "probe ties";
  EXPECT_EQ(kernelbench_accepts(one_off), true);
}

TEST(FastP, ACrashIsWrongByAnyRule) {
  EXPECT_EQ(kernelbench_accepts(solution("a", std::nullopt, Verdict::crash)), false);
  KernelRecord failed{.judgement = {.verdict = Verdict::compile_error}};
  failed.build.judgement = failed.judgement;
  EXPECT_EQ(kernelbench_accepts(failed), false);
}

TEST(FastP, ACaseThatWasNotComparedIsUnknown) {
  EXPECT_EQ(kernelbench_accepts(solution("a", std::nullopt, Verdict::cheat)), std::nullopt);
  KernelRecord other_shapes = solution("a", true, Verdict::pass);
  other_shapes.cases.erase(other_shapes.cases.begin(), other_shapes.cases.begin() + 5);
  EXPECT_EQ(kernelbench_accepts(other_shapes), std::nullopt);
}

TEST(FastP, ShowsBothRulesAndWhatOursRejects) {
  const std::vector<KernelRecord> records{solution("good", true, Verdict::pass, 1.7),
                                          solution("slow", true, Verdict::pass, 0.6),
                                          solution("inexact", true, Verdict::wrong_result),
                                          solution("broken", false, Verdict::wrong_result)};
  const std::string text = fast_p_text(records, 1);
  EXPECT_THAT(text, HasSubstr("5 solutions, 1 refused"));
  EXPECT_THAT(text, HasSubstr("fast_0                  0.60  0.40"));
  EXPECT_THAT(text, HasSubstr("fast_0.5                   -  0.40"));
  EXPECT_THAT(text, HasSubstr("fast_1                     -  0.20"));
  EXPECT_THAT(text, HasSubstr("fast_2                     -  0.00"));
  EXPECT_THAT(text,
              HasSubstr("It accepts 1 solution that we reject:\n  1 wrong_result: inexact\n"));
  EXPECT_THAT(text, Not(HasSubstr("not known")));
}

TEST(FastP, SaysOfHowManyTheRuleIsUnknown) {
  const std::string text = fast_p_text({solution("a", std::nullopt, Verdict::cheat)}, 0);
  EXPECT_THAT(text, HasSubstr("Of 1 solution its rule is not known"));
  EXPECT_THAT(text, HasSubstr("fast_0                   -  0.00"));
}

TEST(FastP, NamesGlue) {
  std::vector<KernelRecord> records{solution("a", true, Verdict::pass),
                                    solution("b", true, Verdict::pass)};
  records[1].solution = SolutionRecord{.glue = "1 view, aten::relu"};
  EXPECT_EQ(glue_text(records), "b: with glue: 1 view, aten::relu\n");
}

}  // namespace
}  // namespace robust_kbench
