#pragma once

#include <cstdint>
#include <vector>

#include "check/allocation_log.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// Some words of all that a kernel was given in a batch, as they were when it said that it had done
// its calls, and before it was asked for anything else. The broker reads them itself; a kernel
// cannot know where.
class AllocationProbe {
 public:
  // Reads now; `key` says where.
  AllocationProbe(const Arena& arena, AllocationLog log, std::uint64_t key);

  [[nodiscard]] const AllocationLog& log() const { return m_log; }
  // Of 64-bit words in the arena, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& indices() const { return m_indices; }
  // What they were: on the CPU.
  [[nodiscard]] const at::Tensor& words() const { return m_words; }

 private:
  AllocationLog m_log;
  std::vector<std::int64_t> m_indices;
  at::Tensor m_words;
};

}  // namespace robust_kbench
