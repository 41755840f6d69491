#include "bench/packages.hpp"

#include <filesystem>
#include <fstream>

#include "process/temporary_directory.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Packages, LieByDeviceEntryAndConfigWhereTheyWereMade) {
  const TemporaryDirectory directory("rkb_packages_test");
  Manifest manifest;
  manifest.toolchain.compile_packages = directory.path();
  const Entry entry{.task = "doubling", .direction = Direction::backward};
  const Config config{.name = "small/size_3", .params = {}};
  const std::string path = directory.path() / "cuda/doubling.backward/small/size_3.pt2";
  EXPECT_EQ(package_path(manifest, Device::cuda, entry, config), path);
  EXPECT_EQ(compile_package(manifest, Device::cuda, entry, config), std::nullopt);
  std::filesystem::create_directories(directory.path() / "cuda/doubling.backward/small");
  std::ofstream(path) << "a package";
  EXPECT_EQ(compile_package(manifest, Device::cuda, entry, config), path);
}

}  // namespace
}  // namespace robust_kbench
