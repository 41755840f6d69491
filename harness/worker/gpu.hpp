#pragma once

#include <cstdint>
#include <kernel/robust_kbench_abi.h>

#include "worker/elements.hpp"

// The table's entries for GPU 0: its elements, streams and cuBLAS. All of it is asynchronous on the
// kernel's current stream, but for what the host reads.
namespace robust_kbench {

// True where the driver could do it: contiguous tensors of one dtype; else torch must.
bool copy_on_gpu(const rkb_tensor& destination, const rkb_tensor& source);
// True where the driver could do it: contiguous tensors, of 4 bytes an element or filled with 0.
bool fill_on_gpu(const rkb_tensor& tensor, double value);
Number first_element_on_gpu(const rkb_tensor& tensor);

void* current_stream();
void set_current_stream(void* stream);
// A cublasHandle_t on the current stream. Throws HarnessError where there is no cuBLAS.
void* blas_handle();

}  // namespace robust_kbench
