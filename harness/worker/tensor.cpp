#include "worker/tensor.hpp"

#include <algorithm>
#include <mutex>
#include <new>

namespace robust_kbench {
namespace {

// The list lies apart from the tensors. A kernel could follow links in a tensor to the tensors of
// later calls. It is never destroyed, since a kernel may release tensors while the process ends.
std::mutex live_mutex;
std::vector<WorkerTensor*>& live = *new std::vector<WorkerTensor*>;

void add_live(WorkerTensor& tensor) {
  const std::scoped_lock lock(live_mutex);
  tensor.place = live.size();
  live.push_back(&tensor);
}

void remove_live(WorkerTensor& tensor) {
  const std::scoped_lock lock(live_mutex);
  live.back()->place = tensor.place;
  live.at(tensor.place) = live.back();
  live.pop_back();
}

}  // namespace

std::vector<const WorkerTensor*> live_tensors() {
  const std::scoped_lock lock(live_mutex);
  return {live.begin(), live.end()};
}

std::size_t element_size(int dtype) {
  switch (dtype) {
    case RKB_UINT8:
    case RKB_INT8:
    case RKB_BOOL:
      return 1;
    case RKB_INT16:
    case RKB_FLOAT16:
    case RKB_BFLOAT16:
      return 2;
    case RKB_INT32:
    case RKB_FLOAT32:
      return 4;
    case RKB_INT64:
    case RKB_FLOAT64:
      return 8;
    default:
      return 0;
  }
}

std::optional<std::size_t> layout_bytes(const TensorLayout& layout) {
  const auto element = static_cast<std::int64_t>(element_size(layout.dtype));
  if (element == 0) return std::nullopt;
  std::int64_t elements = 1;
  bool empty = false;
  for (std::size_t i = 0; i < layout.sizes.size(); ++i) {
    const std::int64_t size = layout.sizes[i];
    const std::int64_t stride = layout.strides[i];
    if (size < 0 || stride < 0) return std::nullopt;
    empty = empty || size == 0;
    std::int64_t step = 0;
    if (size > 0 && (__builtin_mul_overflow(size - 1, stride, &step) ||
                     __builtin_add_overflow(elements, step, &elements))) {
      return std::nullopt;
    }
  }
  std::int64_t bytes = 0;
  if (empty) return 0;
  if (__builtin_mul_overflow(elements, element, &bytes)) return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

rkb_tensor* make_tensor(std::byte* storage, const TensorLayout& layout) {
  const std::size_t rank = layout.sizes.size();
  void* memory = operator new(sizeof(WorkerTensor) + 2 * rank * sizeof(std::int64_t));
  auto* tensor = new (memory) WorkerTensor;
  // Sizes and strides follow the struct, so that a tensor takes one allocation.
  auto* sizes = reinterpret_cast<std::int64_t*>(tensor + 1);
  std::copy_n(layout.sizes.data(), rank, sizes);
  std::copy_n(layout.strides.data(), rank, sizes + rank);
  std::int64_t numel = 1;
  for (const std::int64_t size : layout.sizes) numel *= size;

  tensor->storage = storage;
  tensor->data =
      storage + layout.storage_offset * static_cast<std::int64_t>(element_size(layout.dtype));
  tensor->sizes = sizes;
  tensor->strides = sizes + rank;
  tensor->numel = numel;
  tensor->dim = static_cast<std::int32_t>(rank);
  tensor->dtype = layout.dtype;
  tensor->device_type = layout.device_type;
  tensor->device_index = layout.device_index;
  tensor->storage_offset = layout.storage_offset;
  add_live(*tensor);
  return tensor;
}

void retain(rkb_tensor* tensor) {
  static_cast<WorkerTensor*>(tensor)->references.fetch_add(1, std::memory_order_relaxed);
}

void release(rkb_tensor* tensor) {
  auto* mine = static_cast<WorkerTensor*>(tensor);
  if (mine->references.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  remove_live(*mine);
  mine->~WorkerTensor();
  operator delete(mine);
}

}  // namespace robust_kbench
