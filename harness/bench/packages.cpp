#include "bench/packages.hpp"

#include <filesystem>

namespace robust_kbench {

std::optional<std::string> compile_package(const Manifest& manifest, const Entry& entry,
                                           const Config& config) {
  const std::filesystem::path directory = manifest.toolchain.compile_packages;
  if (directory.empty()) return std::nullopt;
  const std::filesystem::path path = directory / entry.name() / (config.name + ".pt2");
  if (!std::filesystem::is_regular_file(path)) return std::nullopt;
  return path.string();
}

}  // namespace robust_kbench
