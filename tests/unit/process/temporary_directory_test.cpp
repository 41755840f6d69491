#include "process/temporary_directory.hpp"

#include <chrono>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// The path of a directory whose process was killed before it could remove it.
fs::path left_by_killed_process() {
  const fs::path noted = fs::temp_directory_path() / ("noted_" + std::to_string(getpid()));
  const pid_t pid = fork();
  if (pid == 0) {
    const TemporaryDirectory directory("test");
    fs::create_directory(directory.path() / "locked");
    std::ofstream(directory.path() / "locked" / "file") << "content";
    fs::permissions(directory.path() / "locked", fs::perms::none);
    std::ofstream(noted) << directory.path().native();
    _exit(0);
  }
  waitpid(pid, nullptr, 0);
  std::string path;
  std::ifstream(noted) >> path;
  fs::remove(noted);
  return path;
}

void make_old(const fs::path& directory) {
  fs::last_write_time(directory, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

TEST(TemporaryDirectory, RemovesTheDirectoryOfAKilledProcess) {
  const fs::path left = left_by_killed_process();
  ASSERT_TRUE(fs::is_directory(left));
  remove_abandoned_directories();
  EXPECT_TRUE(fs::is_directory(left)) << "it is young and may not be locked yet";
  make_old(left);
  remove_abandoned_directories();
  EXPECT_FALSE(fs::exists(left));
}

TEST(TemporaryDirectory, KeepsADirectoryInUse) {
  const TemporaryDirectory directory("test");
  make_old(directory.path());
  remove_abandoned_directories();
  EXPECT_TRUE(fs::is_directory(directory.path()));
}

TEST(TemporaryDirectory, IsRemovedWithItsContent) {
  fs::path path;
  {
    const TemporaryDirectory directory("test");
    path = directory.path();
    fs::create_directory(path / "locked");
    fs::permissions(path / "locked", fs::perms::none);
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace robust_kbench
