#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// The directories of a build, and of its sources as far as the manifest names them.
std::vector<std::string> manifest_places(const Manifest& manifest);

}  // namespace robust_kbench
