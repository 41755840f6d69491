#pragma once

#include <optional>
#include <string>

#include "core/case.hpp"
#include "core/manifest.hpp"

namespace robust_kbench {

// The torch.compile package of one config where benchmarks/make_compile_packages.py has made one:
// <compile_packages>/<task>.<direction>/<config>.pt2.
std::optional<std::string> compile_package(const Manifest& manifest, const Entry& entry,
                                           const Config& config);

}  // namespace robust_kbench
