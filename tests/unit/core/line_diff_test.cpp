#include "core/line_diff.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::string diff(const std::string& before, const std::string& after) {
  return unified_diff("a", before, "b", after);
}

std::string numbers(int from, int to) {
  std::string text;
  for (int i = from; i <= to; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(LineDiff, OfEqualTextsIsEmpty) {
  EXPECT_EQ(diff("", ""), "");
  EXPECT_EQ(diff("x\ny\n", "x\ny\n"), "");
}

TEST(LineDiff, ShowsAChangeWithItsContext) {
  EXPECT_EQ(diff(numbers(1, 10), numbers(1, 4) + "five\n" + numbers(6, 10)),
            "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(LineDiff, KeepsTheLinesThatStay) {
  EXPECT_EQ(diff("a\nb\nc\n", "a\nx\nb\nc\ny\n"),
            "--- a\n+++ b\n@@ -1,3 +1,5 @@\n a\n+x\n b\n c\n+y\n");
}

TEST(LineDiff, JoinsChangesWhoseContextsTouch) {
  EXPECT_EQ(diff(numbers(1, 8), numbers(2, 7)),
            "--- a\n+++ b\n@@ -1,8 +1,6 @@\n-1\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n");
  EXPECT_EQ(diff(numbers(1, 9), numbers(2, 8)),
            "--- a\n+++ b\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -6,4 +5,3 @@\n 6\n 7\n 8\n-9\n");
}

TEST(LineDiff, NumbersAnEmptySideByTheLineBefore) {
  EXPECT_EQ(diff("", "x\n"), "--- a\n+++ b\n@@ -0,0 +1,1 @@\n+x\n");
  EXPECT_EQ(diff("x\n", ""), "--- a\n+++ b\n@@ -1,1 +0,0 @@\n-x\n");
}

TEST(LineDiff, MarksAMissingNewline) {
  EXPECT_EQ(diff("x\n", "x"),
            "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-x\n+x\n\\ No newline at end of file\n");
}

TEST(LineDiff, ReplacesAllLinesOfTextsThatAreTooLarge) {
  const std::string before = numbers(1, 6000);
  const std::string after = numbers(3000, 9000);
  const std::string result = diff(before, after);
  EXPECT_EQ(std::count(result.begin(), result.end(), '\n'), 3 + 6000 + 6001);
}

}  // namespace
}  // namespace robust_kbench
