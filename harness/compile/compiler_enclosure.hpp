#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// The sandbox of a kernel's compilers, which write in `scratch` alone. They see the toolchain and
// the kernel's own files (core/kernel_places.hpp). `tool` is the absolute path of another program
// that reads the sources, such as a linter. Returns nullopt if the toolchain has no sandbox.
std::optional<Enclosure> compiler_enclosure(const KernelSource& kernel, const Toolchain& toolchain,
                                            const std::filesystem::path& scratch,
                                            const std::string& tool = {});

// The sandbox of a tool that reads a library, and writes in `scratch` alone. `worker` is the
// toolchain's. All are absolute paths. Returns nullopt if no sandbox lies beside the worker.
std::optional<Enclosure> library_reader_enclosure(const std::string& tool,
                                                  const std::string& library,
                                                  const std::string& worker,
                                                  const std::filesystem::path& scratch);

// The variables, as NAME=value, by which compilers find their parts and word messages, from this
// process's environment. `scratch` is their home and temporary directory.
std::vector<std::string> compiler_environment(const std::filesystem::path& scratch);

}  // namespace robust_kbench
