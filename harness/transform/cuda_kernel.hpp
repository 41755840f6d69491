#pragma once

#include <string>
#include <vector>

#include "transform/statement.hpp"

namespace robust_kbench {

// `name<<<grid, block, ...>>>(...)`
struct Launch {
  Range grid;
  Range block;
};

// A `__global__` function with the places that launch it.
struct CudaKernel {
  const Function* function;
  std::vector<Launch> launches;
  // The name or number that all launches have as their block, if it is one that the source gives a
  // value: that value. Else 0.
  std::string block;
  int block_size = 0;
};

std::vector<CudaKernel> cuda_kernels(const Code& code, const std::vector<Function>& functions);

}  // namespace robust_kbench
