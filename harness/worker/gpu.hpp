#pragma once

#include <cstdint>
#include <kernel/robust_kbench_abi.h>

#include "worker/elements.hpp"

// The table's entries for GPU 0: its elements, streams and cuBLAS. All are asynchronous on the
// kernel's current stream, except where the host reads a value.
namespace robust_kbench {

// Copies by the driver, if the tensors are contiguous and have one dtype. Otherwise it returns
// false, and torch must copy.
bool copy_on_gpu(const rkb_tensor& destination, const rkb_tensor& source);
// Fills by the driver, if the tensor is contiguous and its elements have 4 bytes or the value is 0.
// Otherwise it returns false.
bool fill_on_gpu(const rkb_tensor& tensor, double value);
Number first_element_on_gpu(const rkb_tensor& tensor);

void* current_stream();
void set_current_stream(void* stream);
// A cublasHandle_t on the current stream. Throws HarnessError if there is no cuBLAS.
void* blas_handle();

}  // namespace robust_kbench
