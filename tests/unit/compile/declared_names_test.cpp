#include "compile/declared_names.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

TEST(DeclaredNames, AreThoseOfNamespacesAndMacros) {
  const DeclaredNames names = declared_names(
      "# 1 \"header.h\"\n"
      "#define LARGEST 7\n"
      "extern \"C\" { extern double cosine(double angle) __attribute__((pure)); }\n"
      "namespace outer { inline namespace inner __attribute__((x)) {\n"
      "template <typename Item, int Count> class Row { int member; void method() {} };\n"
      "struct Point { int x; } origin;\n"
      "enum Colour { red, green = 2 };\n"
      "enum class Mode { fast };\n"
      "inline Row<int, 1'000> first(const Point& parameter = {}) { int local = '{'; return {}; }\n"
      "const char* text = R\"(} raw \")\";\n"
      "} using alias = int; }\n"
      "void last();\n");
  EXPECT_THAT(names, IsSupersetOf({"LARGEST", "cosine", "outer", "inner", "Row", "Point", "origin",
                                   "red", "green", "Mode", "first", "text", "alias", "last"}));
  for (const char* hidden :
       {"angle", "Item", "Count", "member", "method", "x", "fast", "parameter", "local", "raw"}) {
    EXPECT_THAT(names, Not(Contains(hidden)));
  }
}

TEST(DeclaredNames, EndWithTheText) {
  EXPECT_TRUE(declared_names("").empty());
  EXPECT_THAT(declared_names("namespace a { void f(int \"unfinished"), Contains("f"));
  EXPECT_THAT(declared_names("int a; R\"(unfinished"), Contains("a"));
}

}  // namespace
}  // namespace robust_kbench
