#include "worker/separate_memory.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {

std::byte* SeparateMemory::input(std::uint64_t offset, std::size_t bytes, std::size_t) {
  std::byte* copy = allocate(bytes);
  if (copy == nullptr) {
    throw HarnessError("no room on the GPU for an input of " + std::to_string(bytes) + " bytes");
  }
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.copy(CudaDriver::address_of(copy),
                           CudaDriver::address_of(m_arena.data() + offset), bytes),
               "cuMemcpy");
  return copy;
}

std::byte* SeparateMemory::allocate(std::size_t bytes) {
  const std::scoped_lock lock(m_mutex);
  Block block{.data = nullptr, .bytes = std::max<std::size_t>(bytes, 1)};  // the driver refuses 0
  auto* address = reinterpret_cast<CudaDriver::Address*>(&block.data);
  if (cuda_driver().allocate(address, block.bytes) != 0) return nullptr;
  m_blocks.push_back(block);
  return block.data;
}

void SeparateMemory::release() {
  const std::vector<const WorkerTensor*> live = live_tensors();
  const auto kept = [&](const Block& block) {
    return std::any_of(live.begin(), live.end(), [&](const WorkerTensor* tensor) {
      return tensor->storage >= block.data && tensor->storage < block.data + block.bytes;
    });
  };
  const std::scoped_lock lock(m_mutex);
  const auto unused = std::stable_partition(m_blocks.begin(), m_blocks.end(), kept);
  for (auto block = unused; block != m_blocks.end(); ++block) {
    cuda_driver().free(CudaDriver::address_of(block->data));
  }
  m_blocks.erase(unused, m_blocks.end());
}

}  // namespace robust_kbench
