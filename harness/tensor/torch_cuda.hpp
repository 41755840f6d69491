#pragma once

#include <chrono>
#include <string>

#include "device/gpu_memory_wait.hpp"

#include <c10/core/Device.h>
#include <c10/util/Exception.h>

namespace robust_kbench {

inline c10::Device device_for(bool gpu) {
  return gpu ? c10::Device(c10::kCUDA, 0) : c10::Device(c10::kCPU);
}

// Loads the part of torch that runs on GPUs, which no program links. Throws HarnessError where this
// torch has none, or one of the libraries that it needs is missing. Turns TF32 off, which would put
// errors of 1e-3 into references and into kernels that call torch's operators.
void load_torch_cuda();

// Prepares all threads of a process that makes references on a GPU. Turns cuDNN off, whose float64
// convolutions ask for tens of gigabytes. Starts autograd's thread for the GPU, since torch
// complains on stderr if the first operator there is one of cuBLAS.
void prepare_gpu_references();

// Returns GPU memory that torch caches to the GPU, for other processes.
void give_back_gpu_memory();

// Repeats `work` while the GPU has no memory for it, since other processes and threads may soon
// free theirs. Throws OutOfGpuMemory after a while.
template <typename Work>
auto with_gpu_memory(const Work& work) {
  constexpr std::chrono::seconds wait_limit{20};
  const auto work_or_give_back = [&] {
    try {
      return work();
    } catch (const c10::Error& error) {
      if (!tells_of_missing_gpu_memory(error.what_without_backtrace())) throw;
      give_back_gpu_memory();
      throw OutOfGpuMemory(std::string("torch finds no memory on the GPU: ") +
                           error.what_without_backtrace());
    }
  };
  return wait_for_gpu_memory(work_or_give_back, wait_limit);
}

// Sets whether convolutions round their inputs to TF32, as torch does by default on a GPU. Matrix
// products are in full float32 by default.
void allow_tf32(bool allow);

}  // namespace robust_kbench
