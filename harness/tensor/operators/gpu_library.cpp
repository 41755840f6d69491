#include "tensor/operators/gpu_library.hpp"

#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/cuda/CUDAPluggableAllocator.h>

void rkb_gpu_replace_allocator(rkb_gpu_allocate allocate, rkb_gpu_free free) {
  using namespace torch::cuda::CUDAPluggableAllocator;
  changeCurrentAllocator(createCustomAllocator(allocate, free));
}

void rkb_gpu_use_stream(CUstream_st* stream) {
  c10::cuda::setCurrentCUDAStream(c10::cuda::getStreamFromExternal(stream, 0));
}
