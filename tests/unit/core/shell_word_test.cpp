#include "core/shell_word.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(ShellWord, QuotesCharactersThatAShellInterprets) {
  EXPECT_EQ(shell_word("kernels/a-b_1.cu"), "kernels/a-b_1.cu");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("my kernel.cpp"), "'my kernel.cpp'");
  EXPECT_EQ(shell_word("it's$HOME"), "'it'\\''s$HOME'");
}

}  // namespace
}  // namespace robust_kbench
