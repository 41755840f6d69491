#pragma once

#include <atomic>
#include <kernel/robust_kbench_abi.h>

#include <c10/core/Allocator.h>

namespace robust_kbench {

// Gives torch memory of the worker's table while an operator runs, so that what an operator makes
// is guarded and logged like a kernel's own; the heap's otherwise, for what torch keeps for good.
class BatchAllocator final : public c10::Allocator {
 public:
  // Takes over c10's CPU allocator for the life of the process.
  static BatchAllocator& install(const rkb_table& table);

  c10::DataPtr allocate(std::size_t bytes) override;
  void copy_data(void* to, const void* from, std::size_t bytes) const override;

  // One operator's run, on whatever threads.
  class Scope {
   public:
    explicit Scope(BatchAllocator& allocator) : m_allocator(allocator) { ++m_allocator.m_running; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { --m_allocator.m_running; }

   private:
    BatchAllocator& m_allocator;
  };

 private:
  explicit BatchAllocator(const rkb_table& table) : m_table(table) {}

  const rkb_table& m_table;
  std::atomic<int> m_running{0};
};

}  // namespace robust_kbench
