#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace robust_kbench {

// A directory of its own for each test, and an archive's place in it.
class ArchiveDirectory : public testing::Test {
 protected:
  ArchiveDirectory() {
    std::string name = testing::TempDir() + "/archive_XXXXXX";
    m_directory = mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(m_directory); }

  [[nodiscard]] std::filesystem::path place() const { return m_directory / "evolution"; }
  [[nodiscard]] std::filesystem::path database() const { return place() / "archive.sqlite"; }
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path m_directory;
};

}  // namespace robust_kbench
