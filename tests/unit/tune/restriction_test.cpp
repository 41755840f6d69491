#include "tune/restriction.hpp"

#include <limits>
#include <map>
#include <optional>
#include <string>

#include "source/source_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::optional<bool> holds(const std::string& text) {
  const std::map<std::string, long long> values = {
      {"threads", 256},
      {"packs", 4},
      {"zero", 0},
      {"least", std::numeric_limits<long long>::min()}};
  return Restriction::parse(text, 1).holds(
      [&](const std::string& name) -> std::optional<long long> {
        const auto found = values.find(name);
        if (found == values.end()) return {};
        return found->second;
      });
}

TEST(Restriction, calculates_as_cpp_does) {
  EXPECT_EQ(holds("threads * packs + 2 == 1026"), true);
  EXPECT_EQ(holds("2 + threads * packs == 1026"), true);
  EXPECT_EQ(holds("threads - 200 - 50 == 6"), true);
  EXPECT_EQ(holds("threads / 3 == 85 && threads % 3 == 1"), true);
  EXPECT_EQ(holds("-7 / 2 == -3"), true);
  EXPECT_EQ(holds("(threads + 1) * 2 == 514"), true);
  EXPECT_EQ(holds("1 || 0 && 0"), true);
  EXPECT_EQ(holds("!packs == 0"), true);
  EXPECT_EQ(holds("threads"), true);
}

TEST(Restriction, reads_words_and_chains_as_python_does) {
  EXPECT_EQ(holds("not packs == 0"), true);
  EXPECT_EQ(holds("packs == 3 or threads == 256 and not zero"), true);
  EXPECT_EQ(holds("32 <= threads <= 128"), false);
  EXPECT_EQ(holds("32 <= threads * packs <= 1024"), true);
}

TEST(Restriction, has_no_answer_where_the_arithmetic_has_none) {
  EXPECT_EQ(holds("threads / zero == 1"), std::nullopt);
  EXPECT_EQ(holds("threads % zero == 1"), std::nullopt);
  EXPECT_EQ(holds("least / -1 > 0"), std::nullopt);
  EXPECT_EQ(holds("-least > 0"), std::nullopt);
  EXPECT_EQ(holds("least - 1 < 0"), std::nullopt);
  EXPECT_EQ(holds("least * threads < 0"), std::nullopt);
  EXPECT_EQ(holds("blocks > 1"), std::nullopt);
  EXPECT_EQ(holds("zero == 0 or threads / zero == 1"), true);
  EXPECT_EQ(holds("least % -1 == 0"), true);
}

TEST(Restriction, names_what_it_depends_on) {
  EXPECT_THAT(Restriction::parse("a * b <= a and not c", 1).names(),
              testing::ElementsAre("a", "b", "c"));
}

TEST(Restriction, refuses_what_is_no_expression) {
  for (const std::string text :
       {"", "threads <", "threads threads", "(threads", "threads)", "threads = 4", "f(threads)",
        "threads & 1", "1.5 < threads", "99999999999999999999 > 1", "threads ? 1 : 0", "'a' == 1",
        "\"a\" == threads", "0x10 == threads", "threads;"}) {
    EXPECT_THROW(Restriction::parse(text, 1), SourceError) << text;
  }
  EXPECT_THROW(Restriction::parse(std::string(100'000, '('), 1), SourceError);
  EXPECT_THROW(Restriction::parse(std::string(100'000, '-') + "1", 1), SourceError);
}

TEST(Restriction, says_line_text_and_remedy) {
  try {
    Restriction::parse("threads <", 7);
    FAIL();
  } catch (const SourceError& error) {
    EXPECT_EQ(error.line(), 7);
    EXPECT_STREQ(error.what(),
                 "line 7: 'threads <': it ends too early; a restriction has integers, names, "
                 "+ - * / %, comparisons, && || ! (or and, or, not) and parentheses");
  }
}

}  // namespace
}  // namespace robust_kbench
