#include "bench/packages.hpp"

#include <filesystem>

#include "core/own_config.hpp"
#include "core/sha256.hpp"
#include "device/cpu.hpp"
#include "device/cuda_driver.hpp"

#include <torch/headeronly/version.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Counts those changes to importer/torch_compile.py that change its packages.
constexpr int edition = 1;
constexpr std::size_t digits = 16;  // of a hash that names a file

// Describes what a package is made for. A package serves wherever this text is the same.
std::string made_for(Device device) {
  const std::string common = "torch_" + std::string(TORCH_VERSION) + "_" + std::to_string(edition);
  if (device == Device::cuda) {
    return common + "_sm_" + std::to_string(cuda_facts().compute_capability);
  }
  const CpuFacts facts = cpu_facts();
  const std::string cpu = sha256(facts.model + "\n" + facts.instructions + "\n" +
                                 std::to_string(threads_of_packages()));
  return common + "_cpu_" + cpu.substr(0, digits);
}

}  // namespace

std::string package_path(const Manifest& manifest, const Task& task, Direction direction,
                         Device device, const Config& config) {
  if (task.package.empty()) {
    const fs::path all = manifest.toolchain.compile_packages;
    return all / to_string(device) / Entry{task.name, direction}.name() / (config.name + ".pt2");
  }
  const std::string params = sha256(own_config_text(config.params, task.defaults));
  return fs::path(task.directory) / "compiled" / made_for(device) / to_string(direction) /
         (params.substr(0, digits) + ".pt2");
}

std::optional<std::string> compile_package(const Manifest& manifest, const Task& task,
                                           Direction direction, Device device,
                                           const Config& config) {
  std::string path = package_path(manifest, task, direction, device, config);
  if (!fs::is_regular_file(path)) return std::nullopt;
  return path;
}

std::vector<std::string> package_places(const Manifest& manifest, const Task& task) {
  std::vector<std::string> places;
  for (const std::string& place : task.package.empty()
                                      ? std::vector{manifest.toolchain.compile_packages}
                                      : std::vector{task.directory, task.package}) {
    if (!place.empty()) places.push_back(place);
  }
  return places;
}

int threads_of_packages() {
  return static_cast<int>(usable_cpus().size());
}

}  // namespace robust_kbench
