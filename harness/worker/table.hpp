#pragma once

#include <kernel/robust_kbench_abi.h>
#include <string>

#include "worker/kernel_memory.hpp"

namespace robust_kbench {

// What a kernel is offered. The table's functions carry no context, so a process has one memory
// that kernels allocate from and one library of torch's operators.
const rkb_table& worker_table();
void set_worker_memory(KernelMemory& memory);

// Frees the host memory of a CUDA kernel's CPU tensors, unless the kernel still holds some tensor.
void release_host_memory();

// What the last failed function of the table, or the kernel, said on this thread.
std::string last_error();

}  // namespace robust_kbench
