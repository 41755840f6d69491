#include "source/fingerprint.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Fingerprint, IgnoresSpacesAndComments) {
  const std::string one = fingerprint("#define N 4\nint f(){return N;}\n");
  EXPECT_EQ(one, fingerprint("#define  N 4 // tune: 2, 4\r\nint f ( ) {\n /* x */ return N; }"));
  EXPECT_EQ(one.size(), 32U);
}

TEST(Fingerprint, TellsTokensApart) {
  EXPECT_NE(fingerprint("a + +b"), fingerprint("a ++b"));
  EXPECT_NE(fingerprint("ab"), fingerprint("a b"));
  EXPECT_NE(fingerprint("#define A B\nC"), fingerprint("#define A B C"));
  EXPECT_NE(fingerprint("\"a b\""), fingerprint("\"a  b\""));
}

TEST(Fingerprint, CountsTheChoiceOfOptions) {
  EXPECT_NE(fingerprint("int a;"), fingerprint("// options: -ffast-math\nint a;"));
}

TEST(Fingerprint, IgnoresCommentsThatEndWhereALineIsContinued) {
  EXPECT_EQ(fingerprint("/* x *\\\n/ int a; /\\ \n/ words\n"), fingerprint("int a;"));
  EXPECT_EQ(fingerprint("in\\\nt a;"), fingerprint("int a;"));
  EXPECT_NE(fingerprint("/* x *\\\n/ int a; /* end */"), fingerprint(""));
}

}  // namespace
}  // namespace robust_kbench
