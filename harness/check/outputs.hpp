#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "check/allocation_log.hpp"
#include "check/placement.hpp"
#include "core/byte_range.hpp"
#include "ipc/message.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// One result of a kernel at the time when it was collected.
struct OutputSnapshot {
  at::Tensor tensor;         // private copy; undefined for None and if `problem` is set
  std::uint64_t offset = 0;  // of its first byte in the arena
  std::uint64_t bytes = 0;   // from its first to its last element
  at::Tensor copied;         // those bytes
  bool aliases_input = false;
  std::optional<std::string> problem;  // the kernel's fault that there is no tensor
};

// Copies a result out of the arena if it lies in memory that the kernel was given. `result` comes
// from the worker and is not trusted.
OutputSnapshot snapshot(const Arena& arena, const Placement& placement, const AllocationLog& log,
                        const ResultValue& result);

// False if the result has been written to since.
bool unchanged(const Arena& arena, const OutputSnapshot& snapshot);

// The bytes of the arena from a tensor's first to its last element. Nullopt for an empty tensor, or
// for one outside the memory that the kernel was given.
std::optional<ByteRange> given_range(const AllocationLog& log, const ResultValue& result);

// True if there are bytes between the elements of a tensor. The tensor must have a given_range().
bool has_gaps(const TensorRef& tensor, const ByteRange& range);

}  // namespace robust_kbench
