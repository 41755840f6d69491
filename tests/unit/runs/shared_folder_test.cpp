#include "runs/pilots/shared_folder.hpp"

#include <filesystem>
#include <fstream>
#include <sys/mount.h>
#include <thread>

#include "core/error.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SharedFolderTest : public testing::Test {
 protected:
  SharedFolderTest() { m_folder.make({"open", "claimed"}, "token", "free.0"); }

  const TemporaryDirectory m_directory{"shared_folder"};
  const SharedFolder m_folder{m_directory.path() / "run"};
};

TEST_F(SharedFolderTest, WritesReadsAndLists) {
  m_folder.write("open/b", "text");
  m_folder.write("open/a", "");
  m_folder.write("open/b", "other");
  EXPECT_THAT(m_folder.list("open"), ElementsAre("a", "b"));
  EXPECT_EQ(m_folder.read("open/b"), "other");
  EXPECT_EQ(m_folder.read("open/c"), std::nullopt);
  m_folder.remove("open/b");
  m_folder.remove("open/b");
  EXPECT_THAT(m_folder.list("open"), ElementsAre("a"));
}

TEST_F(SharedFolderTest, LetsOneOfManyMoveAFile) {
  for (int round = 0; round < 50; ++round) {
    m_folder.write("open/job", "text");
    std::atomic<int> moved = 0;
    {
      std::vector<std::jthread> all;
      for (int i = 0; i < 8; ++i) {
        all.emplace_back([&, i] {
          if (m_folder.move("open/job", "claimed/job." + std::to_string(i))) ++moved;
        });
      }
    }
    ASSERT_EQ(moved, 1);
    ASSERT_EQ(m_folder.list("claimed").size(), 1);
    m_folder.remove("claimed/" + m_folder.list("claimed").front());
  }
}

// A file server whose answer was lost does a rename again.
TEST_F(SharedFolderTest, KnowsThatAMoveHasHappened) {
  m_folder.write("open/job", "text");
  EXPECT_TRUE(m_folder.move("open/job", "claimed/job.me"));
  EXPECT_TRUE(m_folder.move("open/job", "claimed/job.me"));
  EXPECT_FALSE(m_folder.move("open/job", "claimed/job.other"));
}

TEST_F(SharedFolderTest, MakesItsTokenOnce) {
  EXPECT_TRUE(m_folder.move("token/free.0", "token/mine.0"));
  m_folder.make({"open", "claimed"}, "token", "free.0");
  EXPECT_THAT(m_folder.list("token"), ElementsAre("mine.0"));
}

// As a file system that is not mounted for a while.
TEST_F(SharedFolderTest, TellsThatItHasVanishedFromAMissingFile) {
  fs::rename(m_folder.path(), m_directory.path() / "away");
  EXPECT_FALSE(m_folder.is_there());
  EXPECT_THROW((void)m_folder.read("open/job"), FolderTrouble);
  EXPECT_THROW((void)m_folder.move("open/job", "claimed/job"), FolderTrouble);
  EXPECT_THROW(m_folder.remove("open/job"), FolderTrouble);
  EXPECT_THROW(m_folder.write("open/job", "text"), FolderTrouble);
  EXPECT_THROW((void)m_folder.list("open"), FolderTrouble);
  fs::create_directory(m_folder.path());  // the mount point
  EXPECT_THROW((void)m_folder.read("open/job"), FolderTrouble);
  fs::remove(m_folder.path());
  fs::rename(m_directory.path() / "away", m_folder.path());
  EXPECT_EQ(m_folder.read("open/job"), std::nullopt);
}

TEST_F(SharedFolderTest, RefusesADirectoryOfOtherFiles) {
  std::ofstream(m_directory.path() / "file") << "text";
  try {
    SharedFolder(m_directory.path()).make({"open"}, "token", "free.0");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("holds other files; name a new or an empty folder"));
  }
}

// A disk of 64 KiB that is full: what renames goes on, and what writes leaves nothing behind.
TEST_F(SharedFolderTest, NeedsNoSpaceToRename) {
  const fs::path disk = m_directory.path() / "disk";
  fs::create_directory(disk);
  if (mount("none", disk.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "mounting a small disk needs root";
  }
  {
    const SharedFolder folder(disk / "run");
    folder.make({"open", "claimed"}, "token", "free.0");
    folder.write("open/job", "text");
    std::ofstream filler(disk / "filler");
    while (filler.write("0123456789abcdef", 16).flush()) continue;
    EXPECT_THROW(folder.write("open/large", std::string(100'000, 'x')), FolderTrouble);
    EXPECT_THAT(folder.list("tmp"), IsEmpty());
    EXPECT_TRUE(folder.move("open/job", "claimed/job"));
    EXPECT_TRUE(folder.move("token/free.0", "token/free.1"));
    EXPECT_EQ(folder.read("claimed/job"), "text");
  }
  EXPECT_EQ(umount(disk.c_str()), 0);
}

}  // namespace
}  // namespace robust_kbench
