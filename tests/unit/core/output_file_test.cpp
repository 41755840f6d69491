#include "core/output_file.hpp"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    std::string name = testing::TempDir() + "/output_file_XXXXXX";
    m_directory = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(m_directory); }

  [[nodiscard]] std::string path(const std::string& name) const { return m_directory / name; }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream in(path(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(m_directory)) {
      found.push_back(entry.path().filename());
    }
    return found;
  }
  static std::string refusal_of(const std::string& path) {
    try {
      const OutputFile file(path);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  fs::path m_directory;
};

TEST_F(OutputFileTest, KeepsOldContentUntilWritten) {
  std::ofstream(path("results")) << "old";
  const OutputFile file(path("results"));
  EXPECT_EQ(content("results"), "old");
  file.write(std::string("new"));
  EXPECT_EQ(content("results"), "new");
  EXPECT_THAT(names(), testing::ElementsAre("results"));
}

TEST_F(OutputFileTest, MakesOnlyDirectoriesBeforeWriting) {
  const OutputFile file(path("a/b/results"));
  EXPECT_TRUE(fs::is_empty(path("a/b")));
  file.write(nlohmann::json{{"x", 1}});
  EXPECT_EQ(content("a/b/results"), "{\n \"x\": 1\n}\n");
}

TEST_F(OutputFileTest, WithoutAPathDropsWhatIsWritten) {
  OutputFile("").write(std::string("dropped"));
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(OutputFileTest, WritesToTheTargetOfALink) {
  std::ofstream(path("results")) << "old";
  fs::create_symlink("results", path("link"));
  OutputFile(path("link")).write(std::string("new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("results"), "new");
}

TEST_F(OutputFileTest, WritesIntoAPipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  OutputFile(path("pipe")).write(std::string("through"));
  std::array<char, 16> text{};
  EXPECT_EQ(read(reader, text.data(), text.size()), 7);
  EXPECT_STREQ(text.data(), "through");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(OutputFileTest, RefusesAnUnwritablePathAtOnce) {
  EXPECT_THAT(refusal_of(m_directory), HasSubstr("it is a directory"));
  EXPECT_EQ(
      refusal_of("/proc/nowhere/results"),
      "/proc/nowhere/results cannot be written: No such file or directory; name another file");
  std::ofstream(path("file")) << "a file";
  EXPECT_THAT(refusal_of(path("file/results")), HasSubstr("Not a directory"));
  fs::create_symlink("missing", path("link"));
  EXPECT_THAT(refusal_of(path("link")), HasSubstr("it is a link to missing"));
}

TEST_F(OutputFileTest, NamesTheLinkThatItWasGiven) {
  // Writing replaces the link's target by a new file beside it, which cannot be made in /proc.
  fs::create_symlink("/proc/self/comm", path("link"));
  EXPECT_THAT(refusal_of(path("link")), StartsWith(path("link") + " cannot be written: "));
}

TEST_F(OutputFileTest, SaysThatADeviceIsFull) {
  const OutputFile full("/dev/full");
  try {
    full.write(std::string("text"));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/dev/full cannot be written: No space left on device"));
  }
}

}  // namespace
}  // namespace robust_kbench
