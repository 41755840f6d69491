#pragma once

#include <kernel/robust_kbench_abi.h>

#include <ATen/core/Tensor.h>

// The table's tensors as torch's and back, sharing memory both ways.
namespace robust_kbench {

// Valid as long as `tensor` and its memory are.
at::Tensor as_torch(const rkb_tensor& tensor);

// Owned by the caller; its memory is torch's, which comes from the table.
rkb_tensor* as_table(const at::Tensor& tensor, const rkb_table& table);

}  // namespace robust_kbench
