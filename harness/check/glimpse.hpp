#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/finding.hpp"
#include "check/guards.hpp"
#include "ipc/call.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// Some words of all that a kernel was given in a batch, as they were when it said that it had done
// its calls, and before it was asked for anything else. The broker looks by itself; a kernel cannot
// know where.
class Glimpse {
 public:
  // Looks now; `key` says where.
  Glimpse(const Arena& arena, Given given, std::uint64_t key);

  // A call of the batch whose outputs have changed since, or lie in memory that the kernel was
  // given only later. What the worker says of `calls` is not believed: outputs that are not in
  // memory that it was given are left to whoever compares them.
  [[nodiscard]] std::optional<Finding> contradicts(const Arena& arena, const Given& given,
                                                   const std::vector<CallResult>& calls) const;

 private:
  Given m_given;
  std::vector<std::int64_t> m_indices;  // of 64-bit words in the arena, ascending
  at::Tensor m_words;                   // on the CPU
};

}  // namespace robust_kbench
