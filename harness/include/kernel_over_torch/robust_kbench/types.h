#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

// The tensor functions that the Python layer (robust_kbench/python/) needs, here for torch's own
// tensors. The header of this name in kernel/ is for the shim's. librkb_operators.so implements the
// functions, and makes torch allocate from the worker.

struct rkb_table;
struct rkb_tensor;

#define RKB_OF_OPERATORS __attribute__((visibility("default")))

namespace rkb {

using at::Tensor;
using c10::ArrayRef;
using c10::Device;
using c10::DeviceIndex;
using c10::DeviceType;
using c10::Error;
using c10::IntArrayRef;
using c10::OutOfMemoryError;
using c10::Scalar;
using c10::ScalarType;
using std::nullopt;
using std::nullopt_t;
using std::optional;

inline constexpr const char* headers_name = "torch";

RKB_OF_OPERATORS Tensor borrow_tensor(rkb_tensor* tensor);
// Turns a defined tensor into a new reference of the table. Throws c10::Error if the table does not
// support such a tensor.
RKB_OF_OPERATORS rkb_tensor* to_table(Tensor tensor);

// Called before the module's body runs. Makes torch allocate from the table. Throws c10::Error if
// torch's libraries for GPUs cannot be loaded.
RKB_OF_OPERATORS void enter_process(const rkb_table& table);

// Lives while a function of the kernel runs. Meanwhile torch's allocations are the kernel's, and
// its work runs on the worker's stream.
class RKB_OF_OPERATORS KernelCall {
 public:
  KernelCall();
  KernelCall(const KernelCall&) = delete;
  KernelCall& operator=(const KernelCall&) = delete;
  ~KernelCall();
};

}  // namespace rkb
