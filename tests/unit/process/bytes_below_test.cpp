#include "process/bytes_below.hpp"

#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "process/temporary_directory.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

void make_file(const fs::path& file, std::uint64_t bytes) {
  std::ofstream(file) << std::string(bytes, 'x');
}

TEST(BytesBelow, AddsUpFilesAtAnyDepth) {
  const TemporaryDirectory directory("bytes");
  fs::create_directories(directory.path() / "a/b");
  make_file(directory.path() / "one", mebibyte);
  make_file(directory.path() / "a/b/two", 2 * mebibyte);
  const std::uint64_t bytes = bytes_below(directory.path(), 100 * mebibyte);
  EXPECT_GE(bytes, 3 * mebibyte);
  EXPECT_LT(bytes, 4 * mebibyte);
}

// Root may read all directories, so another user looks.
TEST(BytesBelow, IsBeyondTheLimitForADirectoryThatIsClosed) {
  const TemporaryDirectory directory("bytes");
  fs::permissions(directory.path(), fs::perms::all);
  fs::create_directory(directory.path() / "closed");
  fs::permissions(directory.path() / "closed", fs::perms::none);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && seteuid(nobody) != 0) _exit(2);
    _exit(bytes_below(directory.path(), mebibyte) > mebibyte ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace robust_kbench
