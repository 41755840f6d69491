#include "core/text_file.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(TextFile, GivesEveryByteOfAFile) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("text_file_test." + std::to_string(getpid()));
  const std::string text("a\r\n\0b\n\n", 7);
  std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(read_text(file), text);
  std::filesystem::remove(file);
  EXPECT_EQ(read_text(file), std::nullopt);
}

TEST(TextFile, ReadsInvalidUtf8AsValid) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("utf8_file_test." + std::to_string(getpid()));
  std::ofstream(file, std::ios::binary) << "caf\xe9 é";
  EXPECT_EQ(read_utf8(file), "caf\uFFFD é");
  std::filesystem::remove(file);
  EXPECT_EQ(read_utf8(file), std::nullopt);
}

}  // namespace
}  // namespace robust_kbench
