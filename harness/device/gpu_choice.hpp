#pragma once

#include <string>

namespace robust_kbench {

// The value of CUDA_VISIBLE_DEVICES for a child process that may use only this process's GPU 0.
std::string only_gpu();

// Makes GPU `index`, among those visible to this process, the only one for it and its children. It
// is then GPU 0. Call it before any use of the driver. Throws UserError for a negative index. If
// `index` does not exist, cuda_facts() then reports no GPU.
void use_gpu(int index);

// Uses the GPU that CTest has allocated to this test, if any (resource "gpus",
// https://cmake.org/cmake/help/latest/manual/ctest.1.html#resource-allocation). Throws HarnessError
// for an allocation that it cannot read.
void use_gpu_of_ctest();

}  // namespace robust_kbench
