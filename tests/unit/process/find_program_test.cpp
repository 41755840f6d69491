#include "core/find_program.hpp"

#include <cstdlib>
#include <fstream>

#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

class FindProgram : public testing::Test {
 protected:
  // Writes a file into a directory, which is made where it is missing.
  fs::path write(const std::string& directory, const std::string& name, bool runnable = true) {
    const fs::path file = path(directory) / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n";
    fs::permissions(file, runnable ? fs::perms::owner_all : fs::perms::owner_read);
    return file;
  }
  fs::path path(const std::string& directory) const { return m_directory.path() / directory; }

 private:
  TemporaryDirectory m_directory{"find_program_test"};
};

TEST_F(FindProgram, TakesTheFirstOfTheDirectories) {
  const fs::path second = write("second", "tool");
  EXPECT_EQ(find_program("tool", {path("first"), path("second")}), second);
  const fs::path first = write("first", "tool");
  EXPECT_EQ(find_program("tool", {path("first"), path("second")}), first);
}

TEST_F(FindProgram, SkipsFilesThatCannotBeRun) {
  write("first", "tool", false);
  fs::create_directories(path("second") / "tool");
  EXPECT_EQ(find_program("tool", {path("first"), path("second")}), "");
  const fs::path third = write("third", "tool");
  EXPECT_EQ(find_program("tool", {path("first"), path("second"), path("third")}), third);
  EXPECT_EQ(find_program("another", {path("third")}), "");
}

TEST(SearchPath, IsPathInItsOrderWithoutEmptyEntries) {
  const std::string own = std::getenv("PATH");
  setenv("PATH", "/b::/a:", 1);
  EXPECT_THAT(search_path(), testing::ElementsAre("/b", "/a"));
  unsetenv("PATH");
  EXPECT_THAT(search_path(), testing::IsEmpty());
  setenv("PATH", own.c_str(), 1);
}

}  // namespace
}  // namespace robust_kbench
