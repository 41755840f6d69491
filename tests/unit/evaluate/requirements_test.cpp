#include "evaluate/requirements.hpp"

#include "device/cuda_driver.hpp"
#include "scripted_suite.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

TEST(SkipReason, NamesTheMissingGpuAndIsEmptyOnTheCpu) {
  const Toolchain with_nvcc{.nvcc = "/usr/local/cuda/bin/nvcc"};
  EXPECT_EQ(skip_reason({.device = Device::cpu}, {}), "");
  EXPECT_EQ(skip_reason({.device = Device::cuda}, with_nvcc), cuda_facts().missing);
  EXPECT_THAT(skip_reason({.device = Device::cuda}, {}), HasSubstr("no nvcc"));
}

TEST(SanitizeSkipReason, AsksForACudaKernelAndTheTool) {
  EXPECT_THAT(sanitize_skip_reason({.device = Device::cpu}, {}, {}),
              HasSubstr("CUDA kernels only"));
  EXPECT_EQ(sanitize_skip_reason({.device = Device::cuda}, {}, {.missing = "not in PATH"}),
            "compute-sanitizer is not in PATH");
  EXPECT_EQ(
      sanitize_skip_reason({.device = Device::cuda}, {.nvcc = "/usr/local/cuda/bin/nvcc"}, {}),
      cuda_facts().missing);
}

class MissingPackages : public testing::Test, public ScriptedSuite {};

TEST_F(MissingPackages, CountsRequestedConfigsWithoutAPackage) {
  m_manifest.toolchain.compile_packages = m_directory.path();
  const KernelSource own = kernel("is right");
  EXPECT_EQ(missing_packages(m_manifest, m_task, own, {}, {"eager"}), "");
  EXPECT_THAT(missing_packages(m_manifest, m_task, own, {}, {"eager", "compile"}),
              HasSubstr("2 of 2 configs"));
}

TEST_F(MissingPackages, OfAnImportedTaskAreMadeByACommandThatNamesIt) {
  m_task.directory = m_directory.path();
  m_task.package = m_directory.path() / "package.task.json";
  const KernelSource own = kernel("is right");
  const Scope scope{.configs = {{.name = "own_1", .params = {{"size", std::int64_t{7}}}}}};
  EXPECT_THAT(missing_packages(m_manifest, m_task, own, scope, {"compile"}),
              HasSubstr("compile-baseline " + m_task.package +
                        " --direction forward --device cpu --config size=7"));
}

}  // namespace
}  // namespace robust_kbench
