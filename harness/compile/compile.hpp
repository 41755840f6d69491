#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "compile/compiler_limits.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"

namespace robust_kbench {

struct CompileOptions {
  std::string
      depfile;  // unless empty, gets a Makefile rule of every file read, so that CMake rebuilds
  // Only finds out whether the kernel compiles. No host code is made, nothing is linked, and a pass
  // has no library.
  bool quick = false;
  bool cache = true;  // see compile/compile_cache.hpp
  std::chrono::seconds timeout{120};
  std::optional<CompilerLimits> limits = {};  // default: compiler_limits() of the device
  std::stop_token stop = {};  // once it is requested, compilers are killed and Cancelled is thrown
  // Called before each long step with one line of text, without a newline.
  std::function<void(const std::string&)> on_progress = {};
};

// Compiles a kernel's sources into `library`, a shared object, with the shim's headers. Where the
// kernel asks for torch's own headers, or needs them, it gets those (compile/fallback.hpp). Our
// flags come before the kernel's: -std=c++17 -O3 -march=native -fopenmp -fPIC -fvisibility=hidden,
// without fast-math. CUDA kernels get the flags of torch's extension builds. They also get
// --use_fast_math, as in the paper, unless their task does without.
//
// Headers of the standard library that torch/extension.h brings along are included where the kernel
// names what they declare (compile/standard_library.hpp).
//
// Files without a module get the one that torch's load_inline would add, for the function of the
// kernel's entry point (compile/entry_module.hpp).
//
// Options that a source asks for in a comment come last (source/compile_options.hpp).
//
// The record also names what the kernel's code asks for (compile/audit/). No build is rejected for
// that: core/capability.hpp says why a caller may.
//
// A source that does not compile gives a record with verdict compile_error. A library that no
// worker could load gives one with load_error (compile/link_audit.hpp). Neither is an exception.
BuildRecord compile(const KernelSource& kernel, const Toolchain& toolchain,
                    const std::string& library, const CompileOptions& options = {});

// Why no compiler of the build takes this kernel, or empty where one does.
std::string missing_compiler(const KernelSource& kernel, const Toolchain& toolchain);

}  // namespace robust_kbench
