#include "compile/error_digest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The format of GCC 12.
constexpr const char* gcc = R"gcc(In file included from /usr/include/c++/12/algorithm:61,
                 from /home/ann/kernel.cpp:2:
/usr/include/c++/12/bits/stl_algo.h: In instantiation of 'void std::__sort(...)':
/usr/include/c++/12/bits/stl_algo.h:4820:18:   required from 'void std::sort(...)'
/home/ann/kernel.cpp:11:12:   required from here
/usr/include/c++/12/bits/stl_algo.h:1938:50: error: no match for 'operator-'
 1938 |   std::__lg(__last - __first) * 2,
      |             ~~~~~~~^~~~~~~~~
/usr/include/c++/12/bits/stl_iterator.h:621:5: note: candidate: 'std::operator-(...)'
  621 |     operator-(const reverse_iterator<_IteratorL>& __x,
/home/ann/kernel.cpp: In function 'int main()':
/home/ann/kernel.cpp:7:3: error: 'foo' was not declared in this scope
    7 |   foo(1);
      |   ^~~
/home/ann/kernel.cpp:8:7: warning: unused variable 'foo' [-Wunused-variable]
    8 |   int foo;
/home/ann/kernel.cpp:9:5: error: invalid conversion from 'const char*' to 'int'
    9 |   f("x");
      |     ^~~
/home/ann/kernel.cpp:4:12: note:   initializing argument 1 of 'void f(int)'
    4 | void f(int a) {}
/home/ann/kernel.cpp:17:3: error: 'foo' was not declared in this scope
   17 |   foo(2);
/home/ann/kernel.cpp:7:3: error: 'foo' was not declared in this scope
compilation terminated due to -fmax-errors=5.
)gcc";

TEST(CompilerErrors, AreSaidOnceAndThoseOfTheSourceFirst) {
  EXPECT_EQ(compiler_errors_text(gcc),
            "kernel.cpp:7, 17: 'foo' was not declared in this scope\n"
            "    foo(1);\n"
            "kernel.cpp:9: invalid conversion from 'const char*' to 'int'\n"
            "    f(\"x\");\n"
            "  kernel.cpp:4: note:   initializing argument 1 of 'void f(int)'\n"
            "stl_algo.h:1938 (from kernel.cpp:11): no match for 'operator-'\n"
            "    std::__lg(__last - __first) * 2,\n");
}

TEST(CompilerErrors, AreReadAsNvccPrintsThem) {
  EXPECT_EQ(compiler_errors_text(R"nvcc(/tmp/a/kernel.cu(4): error: identifier "foo" is undefined
    foo(1);
    ^

/tmp/a/kernel.cu(6): warning #177-D: variable "unused" was declared but never referenced
    int unused;
/tmp/a/sums.cuh(9): error #135: class "float" has no member "missing"
    a.missing();
      ^
          detected during instantiation of "T bad(T)" at line 7 of /tmp/a/kernel.cu

/tmp/a/kernel.cu(4): error: identifier "foo" is undefined
    foo(1);
2 errors detected in the compilation of "/tmp/a/kernel.cu".
)nvcc"),
            "kernel.cu:4: identifier \"foo\" is undefined\n    foo(1);\n"
            "sums.cuh:9 (from kernel.cu:7): class \"float\" has no member \"missing\"\n"
            "    a.missing();\n");
}

TEST(CompilerErrors, AreReadWithoutALineOfASource) {
  EXPECT_EQ(compiler_errors_text(
                "ptxas error   : Entry function 'k' uses too much shared data (0x13880 bytes)\n"),
            "Entry function 'k' uses too much shared data (0x13880 bytes)\n");
  EXPECT_EQ(compiler_errors_text("/usr/bin/ld: /tmp/cc4.o: in function `forward()':\n"
                                 "k4.cpp:(.text+0x5): undefined reference to `g()'\n"
                                 "collect2: error: ld returned 1 exit status\n"),
            "undefined reference to `g()'\n");
  EXPECT_EQ(compiler_errors_text("the compiler ran longer than 60 s\n"),
            "the compiler ran longer than 60 s\n");
}

TEST(CompilerErrors, NameTheLineThatIncludesAFaultyHeader) {
  const auto errors = compiler_errors(
      "In file included from /a/kernel.cpp:3:\n/b/sums.hpp:1:1: error: 'x' does not name a type\n");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].origin, "kernel.cpp:3");
  EXPECT_THAT(errors[0].lines, ElementsAre(1));
}

TEST(CompilerErrors, HaveABound) {
  std::string many;
  for (int i = 0; i < 30; ++i) {
    many += "/a/k.cpp:" + std::to_string(i + 1) + ":1: error: no " + std::to_string(i) + "\n";
  }
  EXPECT_THAT(compiler_errors_text(many, 3), EndsWith("k.cpp:3: no 2\nand 27 further errors\n"));
  const std::string long_line = "k.cpp:1:1: error: " + std::string(2000000, '(');
  EXPECT_LT(compiler_errors_text(long_line).size(), 500U);
  EXPECT_THAT(compiler_errors_text(long_line), StartsWith("k.cpp:1: ((("));
}

TEST(CompilerErrors, LeaveATextAsItIsThatNamesNone) {
  EXPECT_EQ(compiler_errors_text("the kernel binds no `forward`"), "the kernel binds no `forward`");
  EXPECT_EQ(compiler_errors_text(std::string(5000, 'x')).size(), 2000U);
  EXPECT_THAT(compiler_errors_text(gcc), Not(HasSubstr("warning")));
}

}  // namespace
}  // namespace robust_kbench
