#pragma once

#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// Names source files by the shortest ends of their paths that tell them apart: "kernel", or
// "a/kernel" and "b/kernel". A file's ending counts where nothing else differs. Paths are as the
// person has given them.
void tell_apart(std::vector<KernelSource>& kernels);

}  // namespace robust_kbench
