#pragma once

#include <kernel/robust_kbench_abi.h>

#include <ATen/core/Tensor.h>

// The table's tensors as torch's and back, sharing memory both ways.
namespace robust_kbench {

// Holds a reference of the table's to `tensor`.
at::Tensor as_torch(rkb_tensor& tensor);

// Owned by the caller. Its memory is torch's where that is of the table, which keeps it; a copy in
// the table's otherwise, since what torch itself has allocated goes with torch's last tensor.
rkb_tensor* as_table(const at::Tensor& tensor);

}  // namespace robust_kbench
