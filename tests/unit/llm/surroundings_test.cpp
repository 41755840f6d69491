#include "llm/surroundings.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include "archive_directory.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class SurroundingsTest : public ArchiveDirectory {
 protected:
  // The build tool that is found above a shell's child, if the shell's program has this name.
  [[nodiscard]] std::string above_child_of(const std::string& name) const {
    const std::filesystem::path program = m_directory / name;
    std::filesystem::copy_file("/bin/sh", program);
    std::array<int, 2> stdin_ends{};
    std::array<int, 2> stdout_ends{};
    if (pipe(stdin_ends.data()) != 0 || pipe(stdout_ends.data()) != 0) return "no pipe";
    const pid_t shell = fork();
    if (shell == 0) {
      dup2(stdin_ends[0], STDIN_FILENO);
      dup2(stdout_ends[1], STDOUT_FILENO);
      close(stdin_ends[1]);
      // The shell has more commands to run, since it would otherwise replace itself by its child.
      execl(program.c_str(), name.c_str(), "-c", "sleep 100 & echo $!; read line; kill $!",
            nullptr);
      _exit(1);
    }
    close(stdin_ends[0]);
    close(stdout_ends[1]);
    std::array<char, 32> text{};
    const ssize_t n = read(stdout_ends[0], text.data(), text.size() - 1);
    const std::string tool = n > 0 ? build_tool_above(std::atoi(text.data())) : "nothing was read";
    close(stdin_ends[1]);
    close(stdout_ends[0]);
    return tool;
  }
};

TEST_F(SurroundingsTest, AreThoseOfABuildToolBelowOne) {
  for (const char* tool : {"cmake", "ctest", "ninja", "make"})
    EXPECT_EQ(above_child_of(tool), tool);
}

TEST_F(SurroundingsTest, AreOfThisProcessBelowAShell) {
  EXPECT_EQ(above_child_of("shell"), build_tool_above(getpid()));
}

TEST_F(SurroundingsTest, HaveTheVariablesOfTheEnvironment) {
  setenv("RKB_TEST_VARIABLE", "a=b", 1);
  const Surroundings here = surroundings();
  unsetenv("RKB_TEST_VARIABLE");
  EXPECT_EQ(here.variable("RKB_TEST_VARIABLE"), "a=b");
  EXPECT_EQ(here.variable("RKB_TEST_UNSET"), "");
  EXPECT_EQ(here.configuration.filename(), "config.json");
  EXPECT_EQ(here.configuration.parent_path().filename(), "robust-kbench");
}

TEST_F(SurroundingsTest, KeepTheNamesOfKeysOnly) {
  Surroundings here{.variables = {{"A_KEY", "planted-key"}, {"B_KEY", ""}, {"HOME", "/home/me"}}};
  here.forget_keys({"A_KEY", "B_KEY", "C_KEY"});
  EXPECT_EQ(here.keys, std::set<std::string>{"A_KEY"});
  EXPECT_EQ(here.variable("A_KEY"), "");
  EXPECT_EQ(here.variable("HOME"), "/home/me");
}

// A preset may set the variable to any directory.
TEST_F(SurroundingsTest, FindTheConfigurationWithoutVariablesBelowABuildTool) {
  setenv("XDG_CONFIG_HOME", m_directory.c_str(), 1);
  const Surroundings here = surroundings();
  unsetenv("XDG_CONFIG_HOME");
  const bool is_named = here.configuration == m_directory / "robust-kbench/config.json";
  EXPECT_EQ(is_named, here.build_tool.empty());
}

}  // namespace
}  // namespace robust_kbench
