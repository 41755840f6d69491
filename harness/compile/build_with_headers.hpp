#pragma once

#include "compile/library_build.hpp"

// The attempts to build a kernel with one kind of headers. A quick one comes first. Where it may
// have failed for its shortcuts, one without them follows.
namespace robust_kbench {

// True for a source that does not compile.
bool is_compile_error(const BuildRecord& record);

BuildRecord build_with_shim_headers(LibraryBuild& build);

// Over a precompiled header, where there may be one.
BuildRecord build_with_torch_headers(LibraryBuild& build);

}  // namespace robust_kbench
