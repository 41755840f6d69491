#include "transform/loop_form.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::string function(const std::string& body) {
  return "void f(int n) {\n" + body + "}\n";
}

TEST(LoopForm, WritesWhileLoopsThatCountAsForLoops) {
  EXPECT_EQ(with_counted_loops(function("int i = 0;\nwhile (i < n) {\n  use(i);\n  ++i;\n}\n")),
            function("\nfor (int i = 0; i < n; ++i) {\n  use(i);\n  \n}\n"));
  EXPECT_EQ(with_counted_loops(function("int i = 2;\nwhile (i <= n) { use(i); i = i + 4; }\n")),
            function("\nfor (int i = 2; i <= n; i += 4) { use(i);  }\n"));
}

TEST(LoopForm, TakesStepsOfOutside) {
  EXPECT_EQ(
      with_counted_loops(function("int i = 0;\nwhile (i < n) { use(i, step); i += step; }\n")),
      function("\nfor (int i = 0; i < n; i += step) { use(i, step);  }\n"));
}

TEST(LoopForm, WritesNestedLoops) {
  EXPECT_EQ(with_counted_loops(function(
                "int i = 0;\nwhile (i < n) {\n  int j = 0;\n  while (j < i) {\n    use(j);\n    "
                "j++;\n  }\n  i++;\n}\n")),
            function("\nfor (int i = 0; i < n; ++i) {\n  \n  for (int j = 0; j < i; ++j) {\n    "
                     "use(j);\n    \n  }\n  \n}\n"));
}

TEST(LoopForm, DeclaresTheVariableInTheLoop) {
  EXPECT_EQ(with_counted_loops(function("int i, j;\nfor (i = 0; i < n; i++)\n  for (j = 0; j < i; "
                                        "j++) use(i, j);\n")),
            function("int i, j;\nfor (int i = 0; i < n; i++)\n  for (int j = 0; j < i; j++) use(i, "
                     "j);\n"));
}

TEST(LoopForm, LeavesLoopsAloneWhoseVariableIsUsedElsewhere) {
  for (const char* body :
       {"int i = 0;\nwhile (i < n) { use(i); ++i; }\nuse(i);\n",
        "int i = 0;\nwhile (i < n) { if (i == 3) continue; use(i); ++i; }\n",
        "int i = 0;\nwhile (i < n) { use(i); i += 2; ++i; }\n",
        "int i = 0;\nwhile (i < n && i < 9) { use(i); ++i; }\n",
        "int i = 0;\nwhile (i < n) { change(&i); ++i; }\n",
        "int i = 0;\ni = 4;\nwhile (i < n) { use(i); ++i; }\n",
        "int i;\nfor (i = 0; i < n; ++i) use(i);\nuse(i);\n",
        // Another `i` would be declared in the loop, and another `k` with it.
        "int i;\nint k = 5;\nfor (i = 0, k = 0; i < n; ++i) use(i);\nuse(k);\n",
        "int i;\nfor (i = 0; i < n; ++i) use(i);\nfor (i = i; i < 9; ++i) use(i);\n",
        // The header does not know what the body declares.
        "int i = 0;\nwhile (i < n) { const int step = next(); use(i); i += step; }\n",
        "int i = 0;\nwhile (i < n) { int a = 0, step = next(); use(i); i += step; }\n",
        "int i = 0;\nwhile (i < n) { auto [a, step] = next(); use(i); i = i + step; }\n",
        // The first value would come after them.
        "int i = n;\nint m = n++;\nwhile (i < m) { use(i); ++i; }\n",
        "{ int i = n;\nint n = 9;\nwhile (i < 99) { use(i); ++i; } }\n",
        "int i = 0;\ndo { use(i); ++i; } while (i < n);\n", "while (n) { n--; }\n"}) {
    EXPECT_EQ(with_counted_loops(function(body)), function(body));
  }
}

}  // namespace
}  // namespace robust_kbench
