#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// What the C++ compiler says of a loop.
struct LineRemark {
  int line;  // of the kernel's first source, from 1
  std::string text;
};

// Which loops of a C++ kernel's first source are not vectorized and why, and which take sums one
// term after another (profile/vectorizer.hpp). The kernel's own compile command is used. Empty
// where it does not compile or the compiler is not GCC, and for a CUDA kernel.
std::vector<LineRemark> vectorization_remarks(const KernelSource& kernel,
                                              const Toolchain& toolchain);

}  // namespace robust_kbench
