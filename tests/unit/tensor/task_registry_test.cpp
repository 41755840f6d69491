#include "tensor/task_registry.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(TaskRegistry, KeepsAddresses) {
  TaskRegistry registry({{.name = "linked"}});
  const Task& linked = registry.find("linked");
  const Task& first = registry.add({.name = "added 0"});
  for (int i = 1; i < 100; ++i) registry.add({.name = "added " + std::to_string(i)});
  EXPECT_EQ(&registry.find("linked"), &linked);
  EXPECT_EQ(&registry.find("added 0"), &first);
  ASSERT_EQ(registry.tasks().size(), 101);
  EXPECT_EQ(registry.tasks()[0], &linked);
  EXPECT_EQ(registry.tasks()[1], &first);
}

TEST(TaskRegistry, RefusesANameThatIsTaken) {
  TaskRegistry registry({{.name = "linked"}});
  try {
    registry.add({.name = "linked"});
    FAIL() << "no UserError";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "task 'linked' exists already; give the new one another name");
  }
  EXPECT_EQ(registry.tasks().size(), 1);
}

TEST(TaskRegistry, ListsWhatExists) {
  const TaskRegistry registry({{.name = "a"}, {.name = "b"}});
  try {
    (void)registry.find("c");
    FAIL() << "no UserError";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "task 'c' does not exist; did you mean 'a'? known: a, b");
  }
}

}  // namespace
}  // namespace robust_kbench
