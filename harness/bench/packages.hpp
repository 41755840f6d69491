#pragma once

#include <optional>
#include <string>

#include "core/case.hpp"
#include "core/manifest.hpp"

namespace robust_kbench {

// Where the torch.compile package of a config belongs:
// <compile_packages>/<cpu or cuda>/<task>.<direction>/<config>.pt2.
std::string package_path(const Manifest& manifest, Device device, const Entry& entry,
                         const Config& config);

// The same where benchmarks/make_compile_packages.py has made one.
std::optional<std::string> compile_package(const Manifest& manifest, Device device,
                                           const Entry& entry, const Config& config);

}  // namespace robust_kbench
