#include "transform/transforms.hpp"

#include <algorithm>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string source =
    "#include <cmath>\n"
    "void columns(const float* x, float* y, int m, int n) {\n"
    "  for (int j = 0; j < n; ++j) {\n"
    "    float s = 0;\n"
    "    for (int i = 0; i < m; ++i) s += x[i * n + j];\n"
    "    y[j] = s;\n"
    "  }\n"
    "}\n"
    "void rows(const float* x, float* y, int m, int n) {\n"
    "  for (int i = 0; i < m; ++i) {\n"
    "    float s = 0;\n"
    "    int j = 0;\n"
    "    while (j < n) {\n"
    "      s += x[i * n + j];\n"
    "      ++j;\n"
    "    }\n"
    "    y[i] = s;\n"
    "  }\n"
    "}\n";

TEST(Transforms, BeginWithRulesThatGoTogether) {
  const auto found = transforms_of(source, false, {});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().rule, "interchange+simd_reduction");
  EXPECT_EQ(found.front().line, 3);
  EXPECT_THAT(
      found.front().source,
      AllOf(HasSubstr("s_tile[j - j_begin] += x[i * n + j];"),
            HasSubstr("#pragma omp simd reduction(+ : s)\n    for (int j = 0; j < n; ++j)")));
}

TEST(Transforms, AreTheSameEachTime) {
  const auto one = transforms_of(source, false, {{5, "missed"}});
  const auto other = transforms_of(source, false, {{5, "missed"}});
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].source, other[i].source);
}

TEST(Transforms, DifferFromEachOtherAndFromTheSource) {
  std::vector<std::string> texts{source};
  for (const Transform& transform : transforms_of(source, false, {})) {
    texts.push_back(transform.source);
  }
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::unique(texts.begin(), texts.end()), texts.end());
}

TEST(Transforms, AreNoneForASourceWithoutLoops) {
  EXPECT_THAT(transforms_of("", false, {}), IsEmpty());
  EXPECT_THAT(transforms_of("", true, {}), IsEmpty());
  EXPECT_THAT(transforms_of("int f() { return 4; }\n", true, {}), IsEmpty());
}

// Tokens that are left out, doubled or exchanged make no rule fail.
TEST(Transforms, SurviveTextsThatNoCompilerAccepts) {
  std::uint64_t state = 7;
  const auto next = [&state](std::size_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33U) % below;
  };
  const std::string pieces = "(){}[];<>*&=+ \n#";
  for (int round = 0; round < 400; ++round) {
    std::string text = source;
    for (int i = 0; i < 3; ++i) {
      const std::size_t at = next(text.size());
      if (round % 3 == 0) text.erase(at, 1 + next(9));
      if (round % 3 == 1) text.insert(at, 1, pieces[next(pieces.size())]);
      if (round % 3 == 2) text[at] = pieces[next(pieces.size())];
    }
    transforms_of(text, round % 2 == 0, {});
  }
}

}  // namespace
}  // namespace robust_kbench
