#pragma once

#include <string>

namespace robust_kbench {

// The value of CUDA_VISIBLE_DEVICES for a process that may use this one's GPU 0 and no other.
std::string only_gpu();

// Makes GPU `index`, among those that this process may use, the only one for it and the processes
// it starts. It is GPU 0 then. Call it before anything asks the driver. Throws UserError for a
// negative index. For one that does not exist, cuda_facts() then reports no GPU.
void use_gpu(int index);

// The GPU that CTest has allocated to this test, where it has (resource "gpus",
// https://cmake.org/cmake/help/latest/manual/ctest.1.html#resource-allocation). Throws HarnessError
// for an allocation that it cannot read.
void use_gpu_of_ctest();

}  // namespace robust_kbench
