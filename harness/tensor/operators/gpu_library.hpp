#pragma once

#include <cstddef>

// The exports of librkb_operators_cuda.so: the few calls of torch that need CUDA's headers. So
// librkb_operators.so is the same with and without a GPU.

struct CUstream_st;

namespace robust_kbench {
inline constexpr const char* gpu_library_name = "librkb_operators_cuda.so";
}

extern "C" {

using rkb_gpu_allocate = void* (*)(std::size_t bytes, int device, CUstream_st* stream);
using rkb_gpu_free = void (*)(void* data, std::size_t bytes, int device, CUstream_st* stream);

// Throws c10::Error where torch has used the GPU already.
__attribute__((visibility("default"))) void rkb_gpu_replace_allocator(rkb_gpu_allocate allocate,
                                                                      rkb_gpu_free free);
// Sets torch's current stream of this thread and GPU 0.
__attribute__((visibility("default"))) void rkb_gpu_use_stream(CUstream_st* stream);
}
