#include "tensor/operators/tensors.hpp"

#include "tensor/operators/gpu_memory.hpp"
#include "tensor/operators/table_data.hpp"
#include "tensor/torch_cuda.hpp"

#include <c10/core/StorageImpl.h>
#include <c10/core/TensorImpl.h>

namespace robust_kbench {
namespace {

// Elements from the storage's start to the end of the last one.
std::int64_t storage_elements(const rkb_tensor& tensor) {
  if (tensor.numel == 0) return 0;
  std::int64_t last = tensor.storage_offset;
  for (std::int32_t i = 0; i < tensor.dim; ++i) last += (tensor.sizes[i] - 1) * tensor.strides[i];
  return last + 1;
}

rkb_tensor* checked(rkb_tensor* made) {
  TORCH_CHECK(made != nullptr, table().last_error());
  return made;
}

rkb_tensor* copy_into_table(const at::Tensor& tensor) {
  const at::Tensor dense = tensor.is_non_overlapping_and_dense() ? tensor : tensor.contiguous();
  rkb_tensor* result = checked(table().empty_strided(
      dense.sizes().data(), dense.strides().data(), static_cast<std::int32_t>(dense.dim()),
      static_cast<std::int32_t>(dense.scalar_type()), tensor.is_cuda() ? RKB_CUDA : RKB_CPU,
      tensor.is_cuda() ? 0 : -1));
  as_torch(*result).copy_(dense);
  return result;
}

bool lies_in_table(const c10::Storage& storage) {
  return is_table_data(storage.data_ptr()) || is_table_memory_of_gpu(storage.data());
}

}  // namespace

at::Tensor as_torch(rkb_tensor& tensor) {
  const bool on_gpu = tensor.device_type == RKB_CUDA;
  if (on_gpu) load_torch_cuda();
  const c10::Device device = on_gpu ? c10::Device(c10::kCUDA, 0) : c10::Device(c10::kCPU);
  const auto dtype = static_cast<c10::ScalarType>(tensor.dtype);
  const auto element = static_cast<std::int64_t>(c10::elementSize(dtype));
  std::byte* base = static_cast<std::byte*>(tensor.data) - tensor.storage_offset * element;
  table().retain(&tensor);
  c10::Storage storage(c10::Storage::use_byte_size_t(),
                       static_cast<std::size_t>(storage_elements(tensor) * element),
                       table_data(&tensor, base, device));
  at::Tensor result = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage),
      c10::DispatchKeySet(on_gpu ? c10::DispatchKey::CUDA : c10::DispatchKey::CPU),
      c10::scalarTypeToTypeMeta(dtype));
  const auto rank = static_cast<std::size_t>(tensor.dim);
  result.unsafeGetTensorImpl()->set_sizes_and_strides({tensor.sizes, rank}, {tensor.strides, rank},
                                                      tensor.storage_offset);
  return result;
}

rkb_tensor* as_table(const at::Tensor& tensor) {
  TORCH_CHECK(tensor.layout() == c10::kStrided && (tensor.is_cpu() || tensor.is_cuda()),
              "the result is no strided tensor of CPU or GPU");
  const c10::Storage& storage = tensor.storage();
  if (!lies_in_table(storage)) return copy_into_table(tensor);
  const std::int64_t elements = static_cast<std::int64_t>(storage.nbytes() / tensor.element_size());
  const std::int64_t stride = 1;
  // The whole storage first, so that the view keeps its offset in it.
  rkb_tensor* whole =
      checked(table().from_blob(storage.mutable_data(), &elements, &stride, 1,
                                static_cast<std::int32_t>(tensor.scalar_type()),
                                tensor.is_cuda() ? RKB_CUDA : RKB_CPU, tensor.is_cuda() ? 0 : -1));
  rkb_tensor* view =
      table().as_strided(whole, tensor.sizes().data(), tensor.strides().data(),
                         static_cast<std::int32_t>(tensor.dim()), tensor.storage_offset());
  table().release(whole);
  return checked(view);
}

}  // namespace robust_kbench
