#include "source/loop_form.hpp"

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
        "int i = 0;\ndo { use(i); ++i; } while (i < n);\n", "while (n) { n--; }\n"}) {
    EXPECT_EQ(with_counted_loops(function(body)), function(body));
  }
}

}  // namespace
}  // namespace robust_kbench
