#include <kernel/robust_kbench_abi.h>
#include <kernel_over_torch/robust_kbench/types.h>

#include "tensor/operators/attach.hpp"
#include "tensor/operators/batch_allocator.hpp"
#include "tensor/operators/gpu_memory.hpp"
#include "tensor/operators/table_data.hpp"
#include "tensor/operators/tensors.hpp"

namespace rkb {
namespace {

bool on_gpu = false;

}  // namespace

Tensor borrow_tensor(rkb_tensor* tensor) {
  return robust_kbench::as_torch(*tensor);
}

rkb_tensor* to_table(Tensor tensor) {
  return robust_kbench::as_table(tensor);
}

void enter_process(const rkb_table& table) {
  rkb_operators_attach(&table);
  on_gpu = table.current_device() >= 0;
  if (on_gpu) robust_kbench::take_gpu_memory_from_table();
}

KernelCall::KernelCall() {
  if (on_gpu) robust_kbench::follow_stream_of_table();
  robust_kbench::BatchAllocator::instance().begin();
}

KernelCall::~KernelCall() {
  robust_kbench::BatchAllocator::instance().end();
}

}  // namespace rkb
