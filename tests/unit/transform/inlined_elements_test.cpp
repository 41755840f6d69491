#include "transform/inlined_elements.hpp"

#include <string>

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

std::string kernel(const std::string& body) {
  return "void f(const float* x, float* y, int n, const double* z) {\n" + body + "}\n";
}

TEST(InlinedElements, LeaveCallsAloneWhereANameMeansAnother) {
  const std::string at = "const auto at = [&](int i) { return x[i * n]; };\n";
  for (const std::string body :
       {"for (int n = 0; n < 9; ++n) y[n] = 1 + at(n);\n", "{ int n = 3; y[0] = 1 + at(2); }\n",
        "{ int a = 0, n = 3; y[0] = 1 + at(2); }\n", "{ auto [a, n] = g(); y[0] = 1 + at(2); }\n",
        "for (const int n : all) y[0] = 1 + at(n);\n", "if (int n = g()) y[0] = 1 + at(n);\n",
        "const auto h = [&](int n) { return 1 + at(n); };\n",
        "n = 2;\nconst auto h = [=](int i) { return 1 + at(i); };\n",
        "{ const auto at = g(); y[0] = 1 + at(2); }\n"}) {
    EXPECT_EQ(with_inlined_elements(kernel(at + body)), kernel(at + body));
  }
  const std::string global = "static float t[9];\nauto at(int i) { return t[i]; }\n";
  for (const char* function : {"float f(const float* t) { return 1 + at(2); }\n",
                               "float f() { float t[3] = {}; return 1 + at(2); }\n"}) {
    EXPECT_EQ(with_inlined_elements(global + function), global + function);
  }
  EXPECT_EQ(with_inlined_elements(global + "float f() { return 1 + at(2); }\n"),
            global + "float f() { return 1 + t[2]; }\n");
}

TEST(InlinedElements, EndWithTheBlockOfALambda) {
  const std::string blocks =
      "{ const auto at = [&](int i) { return x[i]; };\ny[0] = 1 + at(0); }\n"
      "{ const auto at = [&](int i) { return 2 * x[i]; };\ny[1] = 1 + at(0); }\n";
  std::string inlined = blocks;
  inlined.replace(inlined.find("at(0)"), 5, "x[0]");
  EXPECT_EQ(with_inlined_elements(kernel(blocks)), kernel(inlined));
}

TEST(InlinedElements, AreOfWhatALambdaCaptured) {
  const std::string use = "y[0] = 1 + at(2);\n";
  const auto at = [](const std::string& captures) {
    return "const auto at = [" + captures + "](int i) { return x[i + n]; };\n";
  };
  for (const std::string& body :
       {at("x, n") + "x += 3;\n" + use, at("=") + "++n;\n" + use, at("&, n") + "change(n);\n" + use,
        at("x, n") + "x[3] = 1;\n" + use, at("=") + "int& m = n;\nm = 2;\n" + use,
        at("x, n = 2 * n") + use}) {
    EXPECT_EQ(with_inlined_elements(kernel(body)), kernel(body));
  }
  for (const std::string captures : {"x, n", "=", "&", "&x, &n"}) {
    EXPECT_EQ(with_inlined_elements(kernel(at(captures) + use)),
              kernel(at(captures) + "y[0] = 1 + x[2 + n];\n"));
  }
}

TEST(InlinedElements, KeepTheConversionOfAReturnType) {
  const std::string use = "float f(const float* x) { return 1 + at(x, 2); }\n";
  for (const std::string head :
       {"int at(const float* v, int i)", "float at(const double* v, int i)",
        "double at(const float* v, int i)", "const int& at(const float* v, int i)",
        "float at(const float* const* v, int i)", "auto at(const float* v, int i) -> int"}) {
    const std::string source = head + " { return v[i]; }\n" + use;
    EXPECT_EQ(with_inlined_elements(source), source);
  }
  for (const std::string head :
       {"static inline float at(const float* __restrict__ v, int i)",
        "template <class T> const T& at(const T* v, int i)", "auto at(const int* v, int i)",
        "auto at(const float* v, int i) -> float"}) {
    const std::string function = head + " { return v[i]; }\n";
    EXPECT_EQ(with_inlined_elements(function + use),
              function + "float f(const float* x) { return 1 + x[2]; }\n");
  }
  const std::string truncated =
      kernel("const auto at = [&](int i) -> float { return z[i]; };\ny[0] = 1 + at(2);\n");
  EXPECT_EQ(with_inlined_elements(truncated), truncated);
}

}  // namespace
}  // namespace robust_kbench
