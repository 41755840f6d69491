#pragma once

#include <string>

namespace robust_kbench {

// What CUDA_VISIBLE_DEVICES holds for a process that may use this one's GPU 0 and no other.
std::string only_gpu();

// Makes GPU `index`, of those that this process may use, its only one, and that of the processes it
// starts: it is GPU 0 then. Before anything asks the driver. Throws UserError for a negative index;
// for one that does not exist, cuda_facts() says that there is no GPU.
void use_gpu(int index);

// The GPU that CTest has allocated to this test, where it has (resource "gpus",
// https://cmake.org/cmake/help/latest/manual/ctest.1.html#resource-allocation). Throws HarnessError
// for an allocation that it cannot read.
void use_gpu_of_ctest();

}  // namespace robust_kbench
