#include "baseline/worker_tensors.hpp"

#include "core/error.hpp"
#include "runner/allocate.hpp"
#include "runner/serve.hpp"

#include <ATen/ops/from_blob.h>

namespace robust_kbench {
namespace {

c10::Device device_of(const Arena& arena) {
  return arena.on_gpu() ? c10::Device(c10::kCUDA, 0) : c10::Device(c10::kCPU);
}

ResultValue result_of(Arena& arena, const at::Tensor& tensor) {
  if (!tensor.defined()) return None{};
  at::Tensor placed = tensor;
  const void* data = tensor.const_data_ptr();
  if (tensor.numel() > 0 && !arena.offset_of(data, tensor.element_size())) {
    placed = tensor.contiguous();
    void* memory = arena_allocate(arena, placed.nbytes());
    if (memory == nullptr) {
      throw SubjectError(Failure::out_of_memory, "the arena has no room for a result of " +
                                                     std::to_string(placed.nbytes()) + " bytes");
    }
    arena.write(*arena.offset_of(memory, placed.nbytes()), placed.const_data_ptr(),
                placed.nbytes());
    arena.synchronize();
    data = memory;
  }
  TensorRef ref;
  if (tensor.numel() > 0) ref.offset = *arena.offset_of(data, placed.element_size());
  ref.sizes = placed.sizes().vec();
  ref.strides = placed.strides().vec();
  ref.dtype = static_cast<int>(placed.scalar_type());
  ref.device_type = static_cast<int>(placed.device().type());
  return ref;
}

}  // namespace

at::Tensor tensor_of(const Arena& arena, const ArgumentValue& argument) {
  if (std::holds_alternative<None>(argument.value)) return {};
  const auto* ref = std::get_if<TensorRef>(&argument.value);
  if (ref == nullptr) throw HarnessError("baseline worker: an argument is no tensor");
  return at::from_blob(
      arena.data() + ref->offset, ref->sizes, ref->strides,
      at::TensorOptions().dtype(static_cast<at::ScalarType>(ref->dtype)).device(device_of(arena)));
}

std::vector<ResultValue> results_of(Arena& arena, const std::vector<at::Tensor>& tensors) {
  std::vector<ResultValue> results;
  for (const at::Tensor& tensor : tensors) results.push_back(result_of(arena, tensor));
  return results;
}

}  // namespace robust_kbench
