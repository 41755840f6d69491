#pragma once

#include <cstdint>

#include "tensor/workload.hpp"
#include <robust_kbench/probe.hpp>

// The content of single tensors of a probe's call (tensor/probe.hpp).
namespace robust_kbench {

// The source of the content of a probe's tensors.
struct ProbeSource {
  const Task& task;
  Probe probe;
  std::uint64_t seed;
  c10::Device device;

  [[nodiscard]] bool enlarges() const { return seed % 2 != 0; }
  // The tensor as the task draws it.
  [[nodiscard]] at::Tensor typical(const TensorSpec& spec) const;
  // Further numbers for the same tensor, of another shape, uniform in [low, high).
  [[nodiscard]] at::Tensor uniform_numbers(const TensorSpec& spec, const char* purpose,
                                           std::vector<std::int64_t> shape, double low,
                                           double high) const;
};

// Integers from -most to most. Some zeros are negative.
at::Tensor small_integers(const ProbeSource& source, const TensorSpec& spec, const char* purpose,
                          std::vector<std::int64_t> shape, int most);

// 1000 for an odd seed, 1/1000 for an even one.
double scale_of(std::uint64_t seed);

// Repeats the first row, along the leading dimension, in place of every other. Scalars stay as they
// are.
at::Tensor with_repeated_row(const at::Tensor& tensor);

// A task's input or weight with a probe's content, in the spec's shape and dtype. The spec must be
// present.
at::Tensor probed_input(const TensorSpec& spec, const ProbeSource& source);
at::Tensor probed_weight(const TensorSpec& spec, const ProbeSource& source);

}  // namespace robust_kbench
