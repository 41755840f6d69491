#pragma once

#include <robust_kbench/shim/tensor.h>

// The tensor functions that the Python layer (robust_kbench/python/) needs, here for the shim's own
// tensors. The header of this name in kernel_over_torch/ is for torch's.
namespace rkb {

inline constexpr const char* headers_name = "shim";

inline Tensor borrow_tensor(rkb_tensor* tensor) {
  return Tensor::borrow(tensor);
}
// Turns a defined tensor into a new reference of the table.
inline rkb_tensor* to_table(Tensor tensor) {
  return tensor.release();
}

// Called before the module's body runs.
inline void enter_process(const rkb_table&) {}

// Lives while a function of the kernel runs.
struct KernelCall {
  KernelCall() {}
};

}  // namespace rkb
