#pragma once

#include <filesystem>
#include <optional>

#include "core/manifest.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// The sandbox of a kernel's compilers, which write in `scratch` alone. They see the toolchain and
// what is the kernel's own (core/kernel_places.hpp). Nothing where the toolchain has no sandbox.
std::optional<Enclosure> compiler_enclosure(const KernelSource& kernel, const Toolchain& toolchain,
                                            const std::filesystem::path& scratch);

// NAME=value of what compilers need of this process's environment to find their parts and to word
// messages. `scratch` is their home and temporary directory.
std::vector<std::string> compiler_environment(const std::filesystem::path& scratch);

}  // namespace robust_kbench
