#pragma once

#include <cstdint>
#include <vector>

#include "check/allocation_log.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// A sample of words of all memory that a kernel was given in a batch. The broker reads it when the
// kernel says that its calls are done, before asking it for anything else. A kernel cannot know
// which words are read.
class AllocationProbe {
 public:
  // Reads words now, at places drawn from `key`.
  AllocationProbe(const Arena& arena, AllocationLog log, std::uint64_t key);

  [[nodiscard]] const AllocationLog& log() const { return m_log; }
  // Indices of 64-bit words in the arena, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& indices() const { return m_indices; }
  // The values that the words had, as a tensor on the CPU.
  [[nodiscard]] const at::Tensor& words() const { return m_words; }

 private:
  AllocationLog m_log;
  std::vector<std::int64_t> m_indices;
  at::Tensor m_words;
};

}  // namespace robust_kbench
