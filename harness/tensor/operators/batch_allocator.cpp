#include "tensor/operators/batch_allocator.hpp"

#include <cstdlib>

#include <c10/util/Exception.h>

namespace robust_kbench {
namespace {

constexpr std::size_t torch_alignment = 64;

void keep_until_batch_ends(void*) {}

void* heap_block(std::size_t bytes) {
  return std::aligned_alloc(torch_alignment,
                            (bytes + torch_alignment - 1) / torch_alignment * torch_alignment);
}

void* table_block(const rkb_table& table, std::size_t bytes) {
  const auto size = static_cast<std::int64_t>(bytes);
  const std::int64_t stride = 1;
  rkb_tensor* block = table.empty_strided(&size, &stride, 1, RKB_UINT8, RKB_CPU, -1);
  if (block == nullptr) return nullptr;
  void* data = block->data;
  table.release(block);  // the memory stays until the batch ends
  return data;
}

}  // namespace

BatchAllocator& BatchAllocator::install(const rkb_table& table) {
  static BatchAllocator allocator(table);
  c10::SetAllocator(c10::DeviceType::CPU, &allocator);
  return allocator;
}

c10::DataPtr BatchAllocator::allocate(std::size_t bytes) {
  const c10::Device cpu(c10::DeviceType::CPU);
  if (bytes == 0) return {nullptr, cpu};
  const bool in_batch = m_running > 0;
  void* data = in_batch ? table_block(m_table, bytes) : heap_block(bytes);
  TORCH_CHECK_WITH(OutOfMemoryError, data != nullptr, "out of memory: no room for ", bytes,
                   " bytes of a torch operator");
  return {data, data, in_batch ? &keep_until_batch_ends : &std::free, cpu};
}

void BatchAllocator::copy_data(void* to, const void* from, std::size_t bytes) const {
  default_copy_data(to, from, bytes);
}

}  // namespace robust_kbench
