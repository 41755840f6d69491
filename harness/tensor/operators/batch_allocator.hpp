#pragma once

#include <atomic>

#include <c10/core/Allocator.h>

namespace robust_kbench {

// Gives torch memory of the worker's table while an operator or a kernel over torch runs. So
// torch's allocations are guarded and logged like any kernel's memory. At other times it gives heap
// memory, for objects that torch keeps for good.
class BatchAllocator final : public c10::Allocator {
 public:
  static BatchAllocator& instance();

  c10::DataPtr allocate(std::size_t bytes) override;
  void copy_data(void* to, const void* from, std::size_t bytes) const override;

  // An operator or a kernel runs between begin() and end(), on any threads.
  void begin() { ++m_running; }
  void end() { --m_running; }

 private:
  BatchAllocator() = default;

  std::atomic<int> m_running{0};
};

}  // namespace robust_kbench
