#include "bench/packages.hpp"

#include <filesystem>

namespace robust_kbench {

std::string package_path(const Manifest& manifest, Device device, const Entry& entry,
                         const Config& config) {
  const std::filesystem::path directory = manifest.toolchain.compile_packages;
  return (directory / to_string(device) / entry.name() / (config.name + ".pt2")).string();
}

std::optional<std::string> compile_package(const Manifest& manifest, Device device,
                                           const Entry& entry, const Config& config) {
  std::string path = package_path(manifest, device, entry, config);
  if (!std::filesystem::is_regular_file(path)) return std::nullopt;
  return path;
}

}  // namespace robust_kbench
