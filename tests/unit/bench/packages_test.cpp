#include "bench/packages.hpp"

#include <filesystem>
#include <fstream>

#include "doubling_task.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::StartsWith;

class Packages : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const Config& config, Device device = Device::cpu) const {
    return package_path(m_manifest, m_task, Direction::backward, device, config);
  }

  [[nodiscard]] std::optional<std::string> made(const Config& config) const {
    return compile_package(m_manifest, m_task, Direction::backward, Device::cpu, config);
  }

  static Config size(std::int64_t size, const std::string& name) {
    return {.name = name, .params = {{"size", size}}};
  }

  static void write(const fs::path& file) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "a package";
  }

  const TemporaryDirectory m_directory{"packages_test"};
  Manifest m_manifest{.toolchain = {.compile_packages = m_directory.path()}};
  Task m_task = doubling_task();
};

TEST_F(Packages, LieByDeviceEntryAndConfigWhereTheyWereMade) {
  const Config config = size(3, "small/size_3");
  EXPECT_EQ(path(config, Device::cuda),
            m_directory.path() / "cuda/doubling.backward/small/size_3.pt2");
  EXPECT_EQ(made(config), std::nullopt);
  write(path(config));
  EXPECT_EQ(made(config), path(config));
  EXPECT_THAT(package_places(m_manifest, m_task), ElementsAre(m_directory.path()));
}

TEST_F(Packages, OfAnImportedTaskLieInItsDirectoryByParameters) {
  m_task.directory = m_directory.path() / "content";
  m_task.package = m_directory.path() / "content/package.task.json";
  EXPECT_THAT(path(size(3, "own_1")), StartsWith(m_task.directory + "/compiled/"));
  EXPECT_EQ(path(size(3, "own_1")), path(size(3, "small/size_3")));
  EXPECT_NE(path(size(3, "own_1")), path(size(4, "own_1")));
  EXPECT_NE(path(size(3, "own_1")), path(size(3, "own_1"), Device::cuda));
  write(path(size(3, "own_1")));
  EXPECT_EQ(made(size(4, "own_1")), std::nullopt);
  EXPECT_EQ(made(size(3, "own_1")), path(size(3, "own_1")));
  EXPECT_THAT(package_places(m_manifest, m_task), ElementsAre(m_task.directory, m_task.package));
  m_task.directory = m_directory.path() / "other content";
  EXPECT_EQ(made(size(3, "own_1")), std::nullopt);
}

}  // namespace
}  // namespace robust_kbench
