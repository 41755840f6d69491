#include "core/manifest.hpp"

#include <fstream>
#include <unistd.h>

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class ManifestTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(m_path); }

  std::filesystem::path write(const std::string& text) {
    std::ofstream(m_path) << text;
    return m_path;
  }

  std::filesystem::path m_path =
      std::filesystem::path(testing::TempDir()) / ("manifest" + std::to_string(getpid()) + ".json");
};

TEST_F(ManifestTest, UnknownTaskListsTheKnownOnes) {
  Manifest manifest;
  manifest.tasks = {{"layernorm", "/t/layernorm"}, {"mnist_pool", "/t/mnist_pool"}};
  EXPECT_EQ(manifest.task("layernorm").directory, "/t/layernorm");
  try {
    (void)manifest.task("layrnorm");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "task 'layrnorm' does not exist; known: layernorm, mnist_pool");
  }
}

TEST_F(ManifestTest, MissingMalformedAndIncompleteFilesAreUserErrors) {
  EXPECT_THROW((void)load_manifest("/nowhere/manifest.json"), UserError);
  EXPECT_THROW((void)load_manifest(write("{")), UserError);
  EXPECT_THROW((void)load_manifest(write("{}")), UserError);
}

}  // namespace
}  // namespace robust_kbench
