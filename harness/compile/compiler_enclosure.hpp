#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// The sandbox of a kernel's compilers, which write in `scratch` alone. They see the toolchain and
// what is the kernel's own (core/kernel_places.hpp). `tool` is the absolute path of another program
// that reads the sources, such as a linter. Nothing where the toolchain has no sandbox.
std::optional<Enclosure> compiler_enclosure(const KernelSource& kernel, const Toolchain& toolchain,
                                            const std::filesystem::path& scratch,
                                            const std::string& tool = {});

// The sandbox of a tool that reads a library, and writes in `scratch` alone. `worker` is the
// toolchain's. All are absolute paths. Nothing where no sandbox lies beside the worker.
std::optional<Enclosure> library_reader_enclosure(const std::string& tool,
                                                  const std::string& library,
                                                  const std::string& worker,
                                                  const std::filesystem::path& scratch);

// NAME=value of what compilers need of this process's environment to find their parts and to word
// messages. `scratch` is their home and temporary directory.
std::vector<std::string> compiler_environment(const std::filesystem::path& scratch);

}  // namespace robust_kbench
