#include "source/similarity.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

double between(std::string_view a, std::string_view b) {
  return similarity(shingles_of(a), shingles_of(b));
}

TEST(Similarity, DoesNotSeeCommentsSpacesNumbersAndStrings) {
  EXPECT_EQ(between("int f() { return g(1, \"a\"); }",
                    "int f()\n{\n  return g(256, \"b\");  // faster\n}\n"),
            1);
  EXPECT_EQ(between("#define N 64 // tune: 64, 128\n", "#define N 128\n"), 1);
}

TEST(Similarity, IsTheShareOfCommonShingles) {
  // Six tokens are two shingles, of which one is common to both.
  EXPECT_DOUBLE_EQ(between("a b c d e f", "a b c d e g"), 1.0 / 3);
  EXPECT_EQ(between("a b c d e", "e d c b a"), 0);
  EXPECT_EQ(between("a b", "a b"), 1);
  EXPECT_EQ(between("", ""), 1);
  EXPECT_EQ(between("", "a"), 0);
}

}  // namespace
}  // namespace robust_kbench
