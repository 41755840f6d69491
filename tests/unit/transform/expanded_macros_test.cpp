#include "transform/expanded_macros.hpp"

#include <string>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(ExpandedMacros, WriteLoopsAndElements) {
  const std::string macros =
      "#define LOOP(i, n) for (int i = 0; i < (n); i++)\n"
      "#define AT(p, a, b, n) \\\n  p[(a) * (n) + (b)]\n";
  EXPECT_EQ(
      with_expanded_macros(macros + "void f(const float* x, float* y, int n) {\n"
                                    "  LOOP(i, n + 1) LOOP(j, n) y[i] += AT(x, i, j - 1, n);\n"
                                    "}\n"),
      macros +
          "void f(const float* x, float* y, int n) {\n"
          "  for (int i = 0; i < (n + 1); i++) for (int j = 0; j < n; j++) y[i] += "
          "x[i * n + (j - 1)];\n"
          "}\n");
}

TEST(ExpandedMacros, FollowMacrosInMacros) {
  const std::string macros =
      "#define ROW(p, a) p[(a) * 8]\n"
      "#define TWICE(a) for (int k = 0; k < 2; ++k) ROW(y, a) += ROW(x, (a) + k)\n";
  EXPECT_EQ(with_expanded_macros(macros + "void f() { TWICE(3); }\n"),
            macros + "void f() { for (int k = 0; k < 2; ++k) y[3 * 8] += x[(3 + k) * 8]; }\n");
}

TEST(ExpandedMacros, KeepTheBracketsOfCalls) {
  const std::string macro = "#define AT(i) x[index(i)]\n";
  EXPECT_EQ(with_expanded_macros(macro + "float y = AT(2);\n"), macro + "float y = x[index(2)];\n");
}

// Nobody knows which of several definitions the compiler takes, nor whether there is one.
TEST(ExpandedMacros, LeaveMacrosOfConditionsAlone) {
  const std::string use = "float y = AT(2);\n";
  for (const std::string& source :
       {"#if 0\n#define AT(i) x[i]\n#endif\n" + use,
        "#define AT(i) x[i]\n#ifdef OTHER\n#define AT(i) z[i]\n#endif\n" + use,
        "#ifdef OTHER\n#else\n#define AT(i) x[i]\n#endif\n" + use,
        "%:if 0\n#define AT(i) x[i]\n%:endif\n" + use, "#define AT(i) x[i]\n%:undef AT\n" + use,
        use + "#define AT(i) x[i]\n"}) {
    EXPECT_EQ(with_expanded_macros(source), source);
  }
  const std::string definition = "#if 0\n#endif\n#define AT(i) x[i]\n";
  EXPECT_EQ(with_expanded_macros(definition + use), definition + "float y = x[2];\n");
}

TEST(ExpandedMacros, LeaveOtherMacrosAlone) {
  for (const std::string source :
       {"#define CHECK(x) assert(x)\nvoid f() { CHECK(1); }\n",
        "#define AT(i) x[i]\n#undef AT\nfloat y = AT(2);\n",
        "#define AT(i) x[i]\n#define AT(i) z[i]\nfloat y = AT(2);\n",
        "#define AT (i) x[i]\nfloat y = AT(2);\n", "#define AT(i, ...) x[i]\nfloat y = AT(2, 3);\n",
        "#define AT(i) x[i##0]\nfloat y = AT(2);\n",
        "#define AT(i) x[i] + AT(i)\nfloat y = AT(2);\n",
        "#define AT(i, j) x[i + j]\nfloat y = AT(2);\n", "#define AT(i) x[i]\nfloat y = AT;\n"}) {
    EXPECT_EQ(with_expanded_macros(source), source);
  }
}

}  // namespace
}  // namespace robust_kbench
