#include "tensor/operators/batch_allocator.hpp"

#include <cstdlib>

#include "tensor/operators/table_data.hpp"

#include <c10/util/Exception.h>

namespace robust_kbench {
namespace {

constexpr std::size_t torch_alignment = 64;

c10::DataPtr heap_data(std::size_t bytes) {
  void* data = std::aligned_alloc(
      torch_alignment, (bytes + torch_alignment - 1) / torch_alignment * torch_alignment);
  TORCH_CHECK_WITH(OutOfMemoryError, data != nullptr, "out of memory: no room for ", bytes,
                   " bytes of torch's own");
  return {data, data, &std::free, c10::Device(c10::kCPU)};
}

}  // namespace

BatchAllocator& BatchAllocator::instance() {
  static BatchAllocator allocator;
  return allocator;
}

c10::DataPtr BatchAllocator::allocate(std::size_t bytes) {
  if (bytes == 0) return {nullptr, c10::Device(c10::kCPU)};
  if (m_running == 0) return heap_data(bytes);
  rkb_tensor* block = table_block(bytes, RKB_CPU);
  return table_data(block, block->data, c10::Device(c10::kCPU));
}

void BatchAllocator::copy_data(void* to, const void* from, std::size_t bytes) const {
  default_copy_data(to, from, bytes);
}

}  // namespace robust_kbench
