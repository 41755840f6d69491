#include "core/manifest_places.hpp"

#include <filesystem>

namespace robust_kbench {

std::vector<std::string> manifest_places(const Manifest& manifest) {
  namespace fs = std::filesystem;
  // The manifest is share/robust_kbench/manifest.json of its build.
  const fs::path build = fs::absolute(manifest.path).parent_path().parent_path().parent_path();
  std::vector<std::string> places{build, manifest.toolchain.kernel_include};
  for (const TaskDirectory& task : manifest.tasks) places.push_back(task.directory);
  for (const KernelSource& kernel : manifest.kernels) {
    for (const std::string& source : kernel.sources) {
      places.push_back(fs::path(source).parent_path());
    }
  }
  return places;
}

}  // namespace robust_kbench
