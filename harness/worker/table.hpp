#pragma once

#include <kernel/robust_kbench_abi.h>
#include <string>

#include "worker/kernel_memory.hpp"

namespace robust_kbench {

// The table of functions for kernels. These functions have no context argument. So a process has
// one memory that kernels allocate from, and one library of torch's operators.
const rkb_table& worker_table();
void set_worker_memory(KernelMemory& memory);

// Frees the host memory of a CUDA kernel's CPU tensors, unless the kernel still keeps any tensor.
void release_host_memory();

// The error of the last failed function of the table, or of the kernel, on this thread.
std::string last_error();

}  // namespace robust_kbench
