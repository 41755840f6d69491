#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

// The tensor functions that the Python layer (robust_kbench/python/) needs. Here tensors are
// torch's own. The header of this name in kernel/ makes them the shim's. The functions are those of
// librkb_operators.so, through which torch's memory is the worker's.

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
// A new reference of the table's to a defined tensor. Throws c10::Error where the table has no such
// tensor.
RKB_OF_OPERATORS rkb_tensor* to_table(Tensor tensor);

// Called before the module's body runs. Makes torch take its memory from the table. Throws
// c10::Error where torch's part for GPUs cannot be loaded.
RKB_OF_OPERATORS void enter_process(const rkb_table& table);

// Lives while a function of the kernel runs. Torch's allocations meanwhile count as the kernel's,
// on the stream that the worker has chosen.
class RKB_OF_OPERATORS KernelCall {
 public:
  KernelCall();
  KernelCall(const KernelCall&) = delete;
  KernelCall& operator=(const KernelCall&) = delete;
  ~KernelCall();
};

}  // namespace rkb
