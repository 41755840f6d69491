#pragma once

#include <cuda_runtime.h>

#include <c10/cuda/CUDAException.h>

// That waits for nobody by itself.
inline cudaStream_t make_stream() {
  cudaStream_t stream = nullptr;
  C10_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

inline cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  C10_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

// Makes later work on `waiting` wait for the work that is on `awaited` now.
inline void let_wait(cudaStream_t waiting, cudaStream_t awaited, cudaEvent_t event) {
  C10_CUDA_CHECK(cudaEventRecord(event, awaited));
  C10_CUDA_CHECK(cudaStreamWaitEvent(waiting, event));
}
