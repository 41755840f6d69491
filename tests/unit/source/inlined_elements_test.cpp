#include "source/inlined_elements.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(InlinedElements, WriteTheElementOfALambda) {
  EXPECT_EQ(with_inlined_elements("void f(const float* x, float* y, int n) {\n"
                                  "  const auto at = [&](int i, int j) { return x[i * n + j]; };\n"
                                  "  const auto to = [&](int i) -> float& { return y[i]; };\n"
                                  "  to(3) = at(1, n - 1) + at(0, 2);\n"
                                  "}\n"),
            "void f(const float* x, float* y, int n) {\n"
            "  const auto at = [&](int i, int j) { return x[i * n + j]; };\n"
            "  const auto to = [&](int i) -> float& { return y[i]; };\n"
            "  y[3] = x[1 * n + (n - 1)] + x[0 * n + 2];\n"
            "}\n");
}

TEST(InlinedElements, WriteTheElementOfAFunction) {
  EXPECT_EQ(with_inlined_elements("float at(const float* p, int i) { return p[2 * i]; }\n"
                                  "float f(const float* x, int i) { return 1 + at(x, i + 1); }\n"),
            "float at(const float* p, int i) { return p[2 * i]; }\n"
            "float f(const float* x, int i) { return 1 + x[2 * (i + 1)]; }\n");
}

TEST(InlinedElements, FollowCallsInArguments) {
  EXPECT_EQ(with_inlined_elements("int at(const int* p, int i) { return p[i]; }\n"
                                  "int f(const int* x) { return 1 + at(x, at(x, 0)); }\n"),
            "int at(const int* p, int i) { return p[i]; }\n"
            "int f(const int* x) { return 1 + x[(x[0])]; }\n");
}

TEST(InlinedElements, LeaveOtherCallsAlone) {
  for (
      const char* source :
      {"float at(const float* p, int i) { ++count; return p[i]; }\nfloat f() { return 1 + at(x, "
       "2); }\n",
       "float at(const float* p, int i) { return p[i] + 1; }\nfloat f() { return 1 + at(x, 2); }\n",
       "float at(const float* p, int i) { return p[i]; }\nfloat f() { return 1 + at(x, i++); }\n",
       "float at(const float* p, int i) { return p[i]; }\nfloat f() { return 1 + at(x + 1, 2); }\n",
       "float at(const float* p, int i) { return p[i]; }\nfloat at(int i) { return q[i]; }\n"
       "float f() { return 1 + at(x, 2); }\n",
       "float at(const float* p, int i) { return p[i]; }\nfloat f() { return 1 + a.at(x, 2); }\n",
       "float at(const float* p, int i) { return p[i]; }\nfloat f() { return 1 + at(x); }\n"}) {
    EXPECT_EQ(with_inlined_elements(source), source);
  }
}

}  // namespace
}  // namespace robust_kbench
