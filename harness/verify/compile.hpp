#pragma once

#include <chrono>
#include <string>

#include "core/manifest.hpp"
#include "core/record.hpp"

namespace robust_kbench {

// Compiles a kernel's sources into `library` (a shared object) with slim headers and our own flags
// before the kernel's: -std=c++17 -O3 -march=native -fopenmp -fPIC -fvisibility=hidden, no
// fast-math; of a CUDA kernel those of torch's extension builds with --use_fast_math. A source that
// does not compile is a record with verdict compile_error, never an exception. `depfile`, when not
// empty, gets a Makefile rule of every file read, so that CMake rebuilds.
BuildRecord compile(const KernelSource& kernel, const Toolchain& toolchain,
                    const std::string& library, const std::string& depfile,
                    std::chrono::seconds timeout = std::chrono::seconds{120});

}  // namespace robust_kbench
