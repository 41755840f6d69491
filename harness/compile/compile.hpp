#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "core/manifest.hpp"
#include "core/record.hpp"

namespace robust_kbench {

struct CompileOptions {
  std::string
      depfile;  // not empty: gets a Makefile rule of every file read, so that CMake rebuilds
  // Only what says whether it compiles: no code of the host is made, nothing is linked, and a pass
  // has no library.
  bool quick = false;
  bool cache = true;  // see compile/compile_cache.hpp
  std::chrono::seconds timeout{120};
  std::stop_token stop = {};  // once it is requested, compilers are killed and Cancelled is thrown
};

// Compiles a kernel's sources into `library` (a shared object) with shim headers, or over torch's
// own where the kernel asks for these or needs them (compile/fallback.hpp), and our own flags
// before the kernel's: -std=c++17 -O3 -march=native -fopenmp -fPIC -fvisibility=hidden, no
// fast-math; of a CUDA kernel those of torch's extension builds and, as the paper compiles,
// --use_fast_math, unless its task does without. A source that does not compile is a record with
// verdict compile_error, a library that no worker could load one with load_error
// (compile/link_audit.hpp); neither is an exception.
BuildRecord compile(const KernelSource& kernel, const Toolchain& toolchain,
                    const std::string& library, const CompileOptions& options = {});

// Why no compiler of the build takes this kernel; empty where one does.
std::string missing_compiler(const KernelSource& kernel, const Toolchain& toolchain);

}  // namespace robust_kbench
