#pragma once

#include <kernel/robust_kbench_abi.h>

#include <ATen/core/Tensor.h>

// Converts the table's tensors to torch's and back, sharing memory both ways.
namespace robust_kbench {

// The result holds a table reference to `tensor`.
at::Tensor as_torch(rkb_tensor& tensor);

// The caller owns the result. It shares memory with `tensor` if that came from the table, which
// keeps it alive. Otherwise it is a copy in the table's memory, since torch frees its own memory
// with its last tensor.
rkb_tensor* as_table(const at::Tensor& tensor);

}  // namespace robust_kbench
