#include "core/own_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(OwnCommand, IsThePlainNameWithoutAnRkbBeside) {
  EXPECT_EQ(own_command(), "rkb");
}

TEST(OwnCommand, RunsFromAnyDirectory) {
  const std::string here = std::filesystem::current_path();
  EXPECT_EQ(path_word("my kernel.cpp"), "'" + here + "/my kernel.cpp'");
  EXPECT_EQ(path_word("/a/../b.cpp"), "/b.cpp");
  EXPECT_THAT(own_command_line(), testing::StartsWith("cd " + here + " && rkb"));
}

}  // namespace
}  // namespace robust_kbench
