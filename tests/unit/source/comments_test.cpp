#include "source/comments.hpp"

#include "source/fingerprint.hpp"
#include "source/tokens.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(WithoutComments, KeepsLinesAndTokens) {
  EXPECT_EQ(without_comments("int a;  // first\n// whole line\nint b;\n"), "int a;\n\nint b;\n");
  EXPECT_EQ(without_comments("int/* between */a = /* 1 */ 2;"), "int a =   2;");
  EXPECT_EQ(without_comments("a /* one\n two\n three */ b\n"), "a \n\n b\n");
  EXPECT_EQ(without_comments("last // without an end"), "last");
  EXPECT_EQ(without_comments("/* unterminated\n"), "\n");
  EXPECT_EQ(without_comments("// continued \\\nstill a comment\nint a;"), "\n\nint a;");
}

// The compiler sees the text of these lines, and nothing else.
TEST(WithoutComments, EndsAndBeginsCommentsWhereTheCompilerDoes) {
  EXPECT_EQ(without_comments("/* x *\\\n/ int hidden = 1; /* end */\n"), "\n int hidden = 1;\n");
  EXPECT_EQ(without_comments("/\\\n/ words\nint a;\n"), "\n\nint a;\n");
  EXPECT_EQ(without_comments("// x \\ \t\nwords\nint a;\n"), "\n\nint a;\n");
  EXPECT_EQ(without_comments("// x \\ \r\nwords\nint a;\n"), "\n\nint a;\n");
  EXPECT_EQ(without_comments("#define S R\"(\" /*)\"\nint hidden; /* end */\n"),
            "#define S R\"(\" /*)\"\nint hidden;\n");
  EXPECT_EQ(without_comments("#define N 1'000  // words\n"), "#define N 1'000\n");
}

TEST(WithoutComments, ContinuesNoLineThatEnded) {
  const std::string stripped = without_comments("#define A \\/* x */\nint hidden;\n");
  EXPECT_EQ(tokenize(stripped).front().text, "#define A \\/**/");
  EXPECT_EQ(without_comments("%:define A 1 // words\n"), "%:define A 1\n");
}

TEST(WithoutComments, LeavesLiteralsAlone) {
  const char* const source = "s = \"// no comment\" \"/* nor here */\"; c = '\"'; R\"x(// raw)x\";";
  EXPECT_EQ(without_comments(source), source);
}

TEST(WithoutComments, ReachesIntoDirectives) {
  EXPECT_EQ(without_comments("#define N 4  // tune: 4, 8\n#include <a.h> /* why */\n"),
            "#define N 4\n#include <a.h>\n");
  const std::string source = "#define SUM(a) \\\n  a /* one\n  two */ + 1\nint b;\n";
  const std::string stripped = without_comments(source);
  EXPECT_EQ(stripped.find("two"), std::string::npos);
  EXPECT_EQ(fingerprint(stripped), fingerprint(source));
}

}  // namespace
}  // namespace robust_kbench
