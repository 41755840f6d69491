#include "llm/keys.hpp"

#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

#include "process/proc_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

TEST(TakeKeys, MovesThemOutOfTheEnvironment) {
  setenv("RKB_TEST_KEY", "planted-key", 1);
  setenv("RKB_TEST_EMPTY", "", 1);
  EXPECT_THAT(take_keys({"RKB_TEST_KEY", "RKB_TEST_EMPTY", "RKB_TEST_UNSET"}),
              ElementsAre(Pair("RKB_TEST_KEY", "planted-key")));
  EXPECT_EQ(getenv("RKB_TEST_KEY"), nullptr);
  EXPECT_EQ(getenv("RKB_TEST_EMPTY"), nullptr);
}

// /proc shows the memory with which a process began, so a child process begins with a key.
TEST(TakeKeys, LeavesNoneInProc) {
  if (getenv("RKB_TEST_FROM_START") != nullptr) {
    const std::string file = "/proc/self/environ";
    EXPECT_THAT(proc_file(file), HasSubstr("planted-key"));
    EXPECT_THAT(take_keys({"RKB_TEST_FROM_START"}), testing::SizeIs(1));
    EXPECT_THAT(proc_file(file), Not(HasSubstr("planted-key")));
    return;
  }
  const pid_t child = fork();
  if (child == 0) {
    const char* name = "--gtest_filter=TakeKeys.LeavesNoneInProc";
    setenv("RKB_TEST_FROM_START", "planted-key", 1);
    execl("/proc/self/exe", "unit_llm", name, nullptr);
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(ForgetOthers, LeavesTheNeededAlone) {
  std::map<std::string, std::string> keys{{"A", "planted-key"}, {"B", "another"}};
  forget_others(keys, {"B", "C"});
  EXPECT_THAT(keys, ElementsAre(Pair("B", "another")));
}

}  // namespace
}  // namespace robust_kbench
